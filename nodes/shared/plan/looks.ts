import type { EndModel } from './endModel';
import type { Planned } from './planned';

/** A job as far as it has to be known to plan when it is looked at. Times: elapsed ms. */
export interface Watched {
	startedAt: number;
	/** When it was last seen to go on, or was created. */
	knownAt: number;
	model: EndModel;
}

/** What is known before the history is looked at, which tells of all jobs with one request. Times: elapsed ms. */
export interface LooksSeen {
	/** Jobs of this process that it lists. */
	watched: readonly Watched[];
	/** When the last request for it was sent. */
	lookedAt: number;
	/** Jobs of others take places: they are looked for as long as jobs wait. */
	areOthers: boolean;
	/** Jobs wait for a place. */
	arePlacesWanted: boolean;
	/** How far looks are to be apart (`plan/pace.ts`), ms. */
	gapMs: number;
	/** How long a job takes, on average, ms. */
	averageMs: number;
	/** Drawn for each look, from -1 to 1, so that processes look at different times. */
	chance: number;
}

/** Between two looks, ms. */
export const LEAST_LOOK_GAP_MS = 250;

/** Between two polls of one job, ms. */
export const LEAST_READ_GAP_MS = 500;

/** Ends bunch: a request is worth it a little sooner than if they came evenly. */
const WORTH = 0.7;

/** A read tells of one job, and its next one is far: it is worth it sooner still. */
const WORTH_OF_READ = 0.5;

/** Looks that others make besides come at other times: own ones may be closer by this factor. */
const SHARED_GAP = 0.8;

/** Processes that look at the same jobs look at different times: by so much of the gap sooner or later. */
const SPREAD = 0.15;

/** Steps in which the time of a look is found, and how far ahead it may be, ms. */
const STEPS = 16;
const LONGEST_MS = 600_000;

/** When the history is to be looked at again. */
export function nextLook(seen: LooksSeen, now: number): Planned {
	const { watched, lookedAt, gapMs, arePlacesWanted, averageMs } = seen;
	const from = Math.max(lookedAt + LEAST_LOOK_GAP_MS, now);
	if (seen.areOthers) {
		const at = lookedAt + SHARED_GAP * gapMs * (1 + SPREAD * seen.chance);
		return { at: Math.max(from, at), because: 'others use the account: places may be free' };
	}
	const worthMs = WORTH * costMs(watched.length, gapMs, averageMs);
	return {
		at: whenIdle(watched, { from, step: gapMs, worthMs, countsEach: arePlacesWanted }),
		because: arePlacesWanted ? 'places have likely become free' : 'the jobs have likely ended',
	};
}

/** What is known before a job is read by itself, by when jobs like it have ended. */
export interface OwnReadsSeen extends Pick<LooksSeen, 'arePlacesWanted' | 'averageMs'> {
	/** Jobs that are waited for. */
	watching: number;
	/** How far reads of any of them are to be apart, ms. */
	gapMs: number;
}

/** When a job that is read by itself is likely enough to have ended. */
export function nextOwnRead(job: Watched, seen: OwnReadsSeen, now: number): Planned {
	const gapMs = seen.watching * seen.gapMs;
	const from = Math.max(job.knownAt + Math.max(LEAST_READ_GAP_MS, gapMs / 2), now);
	const worthMs = WORTH * WORTH_OF_READ * costMs(1, gapMs, seen.averageMs);
	const countsEach = seen.arePlacesWanted || seen.watching > 1;
	const at = whenIdle([job], { from, step: gapMs, worthMs, countsEach });
	return { at, because: 'it has likely ended by now' };
}

/**
 * How long places stand empty, on average, for one request, where requests are so far apart, ms: ends come evenly
 * until all jobs have ended.
 */
const costMs = (jobs: number, gapMs: number, averageMs: number) =>
	jobs * (gapMs < averageMs ? gapMs ** 2 / (2 * averageMs) : gapMs - averageMs / 2);

interface Idle {
	/** No sooner, elapsed ms. */
	from: number;
	/** The first guess, ms after that. */
	step: number;
	/** How long jobs have to have been over, ms. */
	worthMs: number;
	/** Each place that stands empty counts; else only the end of the last job does. */
	countsEach: boolean;
}

/** When jobs have been over for so long, on average, elapsed ms. */
function whenIdle(watched: readonly Watched[], { from, step, worthMs, countsEach }: Idle): number {
	const idleMs = (at: number) => {
		const each = watched.map(({ startedAt, knownAt, model }) =>
			model.idleMs(knownAt - startedAt, at - startedAt),
		);
		return countsEach ? sum(each) : Math.min(...each);
	};
	if (idleMs(from) >= worthMs) return from;
	let [low, high] = [from, from + Math.max(step, 1)];
	while (idleMs(high) < worthMs && high - from < LONGEST_MS) [low, high] = [high, 2 * high - from];
	for (let tries = 0; tries < STEPS; tries++) {
		const middle = (low + high) / 2;
		if (idleMs(middle) < worthMs) low = middle;
		else high = middle;
	}
	return high;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
