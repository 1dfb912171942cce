import type { Job } from '../../sandbox/jobs.mts';
import type { SandboxState } from '../../sandbox/state.mts';
import type { ItemKind } from '../../test/support/product.mts';
import type { Looped } from './loop.mts';
import { mean, round, sum, type Check, type Row } from './result.mts';
import type { Traffic } from './traffic.mts';

/** A kind of job, as the service's documentation describes it, and how long the sandbox takes for it. */
export interface Kind {
	title: string;
	kind: ItemKind;
	parameters: Record<string, string>;
	/** In ms. */
	takes: { min: number; max: number };
}

const VID_A31 = { resource: 'vidA31', operation: 'generate', aspectRatio: '16:9' };

export const FAST: Kind = {
	title: 'vidA31 fast',
	kind: 'video',
	parameters: { ...VID_A31, model: 'modelA_fast' },
	takes: { min: 30_000, max: 45_000 },
};

export const QUALITY: Kind = {
	title: 'vidA31 quality',
	kind: 'video',
	parameters: { ...VID_A31, model: 'modelA' },
	takes: { min: 45_000, max: 60_000 },
};

/** The service does not document how long this kind and the next take; the ranges are made up. */
export const IMAGE: Kind = {
	title: 'image, time unknown',
	kind: 'image',
	parameters: { resource: 'image', operation: 'generate', size: '1:1' },
	takes: { min: 10_000, max: 30_000 },
};

/** Shorter than the interval of the documented loop, which sees each end at its first look. */
export const SHORT_IMAGE: Kind = {
	...IMAGE,
	title: 'short image, time unknown',
	takes: { min: 3000, max: 9000 },
};

export const CREDITS = { purchased: 100_000_000 };

export function parametersOf({ parameters }: Kind, itemIndex: number) {
	return { ...parameters, prompt: `item ${itemIndex}`, options: {} };
}

/** The input of a node that makes a job of each prompt. */
export const batchOf = (kind: Kind, prompts: readonly string[], options = {}) => ({
	items: prompts.map((prompt) => ({ prompt })),
	parameters: (item: number) => ({ ...kind.parameters, prompt: prompts[item], options }),
	kind: kind.kind,
});

export const durationOf = ({ createdAt, endsAt }: Job): number => endsAt - createdAt;

/** The jobs' durations, as if all jobs could start at once. */
export const plannedOf = (jobs: readonly Job[]) => jobs.map((job) => ({ ms: durationOf(job) }));

/**
 * For each job, the time from its end to the arrival of the read that showed it, in ms: a read of its status, or of the
 * history where that was believed.
 */
export function lagsOf({ jobs, journal }: Pick<SandboxState, 'jobs' | 'journal'>): number[] {
	const readAt = new Map<string, number>();
	const listedAt: number[] = [];
	for (const { kind, path, status, at } of journal.entries) {
		if (status !== 200) continue;
		if (kind === 'list') listedAt.push(at);
		if (kind !== 'status') continue;
		const id = path.split('/').filter(Boolean).at(-1) ?? '';
		const job = jobs.find(id);
		if (job && at >= job.endsAt && !readAt.has(id)) readAt.set(id, at);
	}
	return jobs.list.map(({ id, endsAt }) => {
		const shownAt = readAt.get(id) ?? listedAt.find((at) => at >= endsAt);
		return (shownAt ?? NaN) - endsAt;
	});
}

/** The result of some work in virtual time with one seed. */
export interface Measured extends Pick<Traffic, 'requests' | 'refused'> {
	ms: number;
	idealMs: number;
	/** The time as a multiple of the ideal; with several batches, that of the slowest one. */
	ratio: number;
	wrong: number;
	/** What loops would have reached with the same jobs. */
	beside: Looped;
}

export const meanOf = <T,>(all: readonly T[], value: (one: T) => number) => mean(all.map(value));

export const ratioOf = ({ ratio }: Measured) => ratio;

export const wrongOf = (all: readonly Measured[]) => sum(all.map(({ wrong }) => wrong));

/** The columns that the tables of all such work share. */
export const rowOf = (all: readonly Measured[]): Row => ({
	seconds: round(meanOf(all, ({ ms }) => ms) / 1000, 1),
	ideal: round(meanOf(all, ({ idealMs }) => idealMs) / 1000, 1),
	'x ideal': round(meanOf(all, ratioOf), 3),
	worst: round(Math.max(...all.map(ratioOf)), 3),
	requests: round(
		meanOf(all, ({ requests }) => requests),
		0,
	),
	'429s': round(
		meanOf(all, ({ refused }) => refused),
		1,
	),
	wrong: wrongOf(all),
});

export const noneWrong = (all: readonly Measured[]): Check => ({
	what: 'wrong results',
	measured: wrongOf(all),
	bound: 'wrong results',
});

/** Measures with each seed, from 1 on. */
export async function overSeeds<T>(seeds: number, measure: (seed: number) => Promise<T>) {
	const found: T[] = [];
	for (let seed = 1; seed <= seeds; seed++) found.push(await measure(seed));
	return found;
}
