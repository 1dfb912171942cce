import { REQUEST_WINDOW_MS } from '../../nodes/shared/spec/limits.ts';
import type { JournalEntry } from '../../sandbox/journal.mts';
import type { Sandbox } from '../../sandbox/server.mts';

export type Traffic = ReturnType<typeof trafficOf>;

/** What a way of working has cost the service. */
export function trafficOf({ journal, account }: Pick<Sandbox, 'journal' | 'account'>) {
	const entries = journal.entries.filter(({ kind }) => kind !== 'media');
	return {
		/** To the service; media are not. */
		requests: entries.length,
		/** Reads of one job and of the history. */
		looks: entries.filter(isLook).length,
		refused: entries.filter(({ status }) => status === 429).length,
		/** Most requests in any window of the limit. */
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
