import { CONCURRENT_GENERATIONS, AUTHENTICATED } from '../../nodes/shared/spec/limits.ts';
import type { Job } from '../../sandbox/jobs.mts';
import type { SandboxState } from '../../sandbox/state.mts';
import type { ItemKind } from '../../test/support/product.mts';
import { UNBOUNDED } from '../../test/support/virtualClock.mts';
import { VirtualN8n } from '../../test/support/virtualRun.mts';

/** What a part has measured. */
export interface Row {
	work: string;
	values: Value[];
}

export interface Value {
	/** Which of the row's values it is. */
	of?: string;
	/** The time behind it. */
	took?: string;
	measured: number;
	unit: string;
	/** The bound. */
	most?: number;
}

/** The unit of a time that is compared with {@link idealOf}. */
export const TIMES = 'x';

export const REFUSED = '% refused at most';

/** A kind of job, and how long the sandbox takes for it, in ms. */
export interface Kind {
	kind: ItemKind;
	parameters: Record<string, string>;
	takes: { min: number; max: number };
}

const IMAGE = {
	kind: 'image',
	parameters: { resource: 'image', operation: 'generate', size: '1:1' },
} as const;

/** How long images take is not documented: the ranges are made up. */
export const SHORT_IMAGE: Kind = { ...IMAGE, takes: { min: 3000, max: 9000 } };
export const LONG_IMAGE: Kind = { ...IMAGE, takes: { min: 20_000, max: 40_000 } };

export const CREDITS = { purchased: 100_000_000 };

/** An n8n in virtual time. Without a history, the service answers 404 where it would be. */
export function accountFor({ takes }: Pick<Kind, 'takes'>, seed: number, hasHistory = true) {
	const account = new VirtualN8n({ settings: { credits: CREDITS, jobMs: takes, seed } });
	account.clock.bounds = UNBOUNDED;
	const none = { match: { kind: 'list' }, fault: { kind: 'status', status: 404 } } as const;
	if (!hasHistory) account.state.faults.add(none);
	return account;
}

/** The input of a node that makes jobs of one kind. */
export const batchOf = ({ kind, parameters }: Kind, count: number, name = 'item') => {
	const items = Array.from({ length: count }, (_, index) => ({ prompt: `${name} ${index}` }));
	const parametersOf = (item: number) => ({ ...parameters, ...items[item], options: {} });
	return { kind, items, parameters: parametersOf };
};

/** The requests that some work has caused at the service; downloads of media do not count. */
export function trafficOf({ journal }: Pick<SandboxState, 'journal'>) {
	const entries = journal.entries.filter(({ kind }) => kind !== 'media');
	const refused = entries.filter(({ status }) => status === 429);
	return { requests: entries.length, refused: refused.length };
}

/** Measures with each seed, from 1 on. */
export async function overSeeds<T>(seeds: number, measure: (seed: number) => Promise<T>) {
	const found: T[] = [];
	for (let seed = 1; seed <= seeds; seed++) found.push(await measure(seed));
	return found;
}

export const sumOf = <T,>(all: readonly T[], value: (one: T) => number): number =>
	all.reduce((total, one) => total + value(one), 0);

export const meanOf = <T,>(all: readonly T[], value: (one: T) => number): number =>
	sumOf(all, value) / all.length;

export const inSeconds = (ms: number): string => `${(ms / 1000).toFixed(1)} s`;

/**
 * The shortest time in ms until a client has seen the last end, if it starts the jobs in this order within both limits
 * of the service and knows how long each takes. It needs one request for each end, or one after the last end if a list shows all.
 *
 * Without the request limit, the k-th request goes at the k-th start or end in the list schedule. With the limit, it
 * also has to wait until a window has passed since the request that came as many before it as fit into one.
 */
export function idealOf(
	jobs: ReadonlyArray<Pick<Job, 'createdAt' | 'endsAt'>>,
	reads: 'each' | 'one' = 'one',
): number {
	const freeAt = Array.from({ length: CONCURRENT_GENERATIONS }, () => 0);
	const spans = jobs.map(({ createdAt, endsAt }) => {
		const start = Math.min(...freeAt);
		const end = start + endsAt - createdAt;
		freeAt[freeAt.indexOf(start)] = end;
		return { start, end };
	});
	const ends = spans.map(({ end }) => end);
	const seen = reads === 'each' ? ends : [Math.max(0, ...ends)];
	const times = [...spans.map(({ start }) => start), ...seen].sort((a, b) => a - b);
	for (let index = AUTHENTICATED.requests; index < times.length; index++) {
		const before = times[index - AUTHENTICATED.requests] ?? 0;
		times[index] = Math.max(times[index] ?? 0, before + AUTHENTICATED.windowMs);
	}
	return times.at(-1) ?? 0;
}
