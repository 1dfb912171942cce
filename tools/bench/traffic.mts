import { REQUEST_WINDOW_MS } from '../../nodes/shared/spec/limits.ts';
import type { JournalEntry } from '../../sandbox/journal.mts';
import type { Sandbox } from '../../sandbox/server.mts';

/** What a way of working has cost the service. */
export interface Traffic {
	/** To the service; media are not. */
	requests: number;
	/** Reads of one job and of the history. */
	looks: number;
	refused: number;
	/** Most requests in any window of the limit. */
	mostInWindow: number;
	paid: number;
}

type Recorded = Pick<Sandbox, 'journal' | 'account'>;

export function trafficOf({ journal, account }: Recorded): Traffic {
	const entries = journal.entries.filter(({ kind }) => kind !== 'media');
	return {
		requests: entries.length,
		looks: entries.filter(isLook).length,
		refused: entries.filter(({ status }) => status === 429).length,
		mostInWindow: mostInWindow(entries.map(({ at }) => at)),
		paid: account.charges.length,
	};
}

export const isLook = ({ kind }: JournalEntry): boolean => kind === 'status' || kind === 'list';

function mostInWindow(times: readonly number[]): number {
	let most = 0;
	let oldest = 0;
	for (const [index, at] of times.entries()) {
		while ((times[oldest] ?? at) <= at - REQUEST_WINDOW_MS) oldest += 1;
		most = Math.max(most, index - oldest + 1);
	}
	return most;
}
