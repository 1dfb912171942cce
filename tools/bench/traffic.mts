import { REQUEST_WINDOW_MS, REQUESTS_PER_WINDOW } from '../../nodes/shared/spec/limits.ts';
import type { JournalEntry } from '../../sandbox/journal.mts';
import type { Sandbox } from '../../sandbox/server.mts';

/** What a way of working has cost the service. */
export interface Traffic {
	/** To the service; media are not. */
	requests: number;
	/** Reads of one job and of the history. */
	looks: number;
	refused: number;
	/** Creations among them for which there was a request, and no place. */
	refusedPlaces: number;
	/** Most requests in any window of the limit. */
	mostInWindow: number;
	paid: number;
}

type Recorded = Pick<Sandbox, 'journal' | 'account'>;

export function trafficOf({ journal, account }: Recorded): Traffic {
	const entries = journal.entries.filter(({ kind }) => kind !== 'media');
	const refused = entries.filter(({ status }) => status === 429);
	return {
		requests: entries.length,
		looks: entries.filter(isLook).length,
		refused: refused.length,
		refusedPlaces: refusedPlaces(entries),
		mostInWindow: mostInWindow(entries.map(({ at }) => at)),
		paid: account.charges.length,
	};
}

export const isLook = ({ kind }: JournalEntry): boolean => kind === 'status' || kind === 'list';

/** A creation that is refused for its place has taken a request; what is refused for want of one has not. */
function refusedPlaces(entries: readonly JournalEntry[]): number {
	let served: number[] = [];
	let count = 0;
	for (const { at, kind, status } of entries) {
		served = served.filter((time) => time > at - REQUEST_WINDOW_MS);
		const isRefused = status === 429;
		if (isRefused && served.length >= REQUESTS_PER_WINDOW) continue;
		served.push(at);
		if (isRefused && kind === 'create') count += 1;
	}
	return count;
}

function mostInWindow(times: readonly number[]): number {
	let most = 0;
	let oldest = 0;
	for (const [index, at] of times.entries()) {
		while ((times[oldest] ?? at) <= at - REQUEST_WINDOW_MS) oldest += 1;
		most = Math.max(most, index - oldest + 1);
	}
	return most;
}
