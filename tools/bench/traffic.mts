import { REQUEST_WINDOW_MS } from '../../nodes/shared/spec/limits.ts';
import type { JournalEntry } from '../../sandbox/journal.mts';
import type { Sandbox } from '../../sandbox/server.mts';

export type Traffic = ReturnType<typeof trafficOf>;

/** The requests and charges that some work has caused at the service. */
export function trafficOf({ journal, account }: Pick<Sandbox, 'journal' | 'account'>) {
	const entries = journal.entries.filter(({ kind }) => kind !== 'media');
	return {
		/** Requests to the service; downloads of media do not count. */
		requests: entries.length,
		/** Reads of a single job, or of the history. */
		looks: entries.filter(isLook).length,
		refused: entries.filter(({ status }) => status === 429).length,
		/** The most requests in any window of the request limit. */
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
