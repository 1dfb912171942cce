import type { EndModel } from './endModel';
import type { Planned } from './planned';

/** What has to be known of a job to plan when to look at it. Times: elapsed ms. */
export interface Watched {
	startedAt: number;
	/** When it was last seen to run, or was created. */
	knownAt: number;
	model: EndModel;
}

/** What is known before a look at the history, which shows all jobs with one request. Times: elapsed ms. */
export interface LooksSeen {
	/** Jobs of this process that the history lists. */
	watched: readonly Watched[];
	/** When the last look was sent. */
	lookedAt: number;
	/** Jobs of others take places: while jobs of this process wait, looks show which places become free. */
	areOthers: boolean;
	/** Jobs wait for a place. */
	arePlacesWanted: boolean;
	/** How far apart looks are to be (`plan/pace.ts`), in ms. */
	gapMs: number;
	/** How long a job takes, on average, ms. */
	averageMs: number;
	/** Drawn for each look, from -1 to 1, so that processes look at different times. */
	chance: number;
}

/** Shortest time between two looks, in ms. */
export const LEAST_LOOK_GAP_MS = 250;

/** Shortest time between two polls of one job, in ms. */
export const LEAST_READ_GAP_MS = 500;

/** Ends bunch: a request pays off a little sooner than if they came evenly, by this factor. */
const WORTH = 0.7;

/** A read shows only one job, and the next read of that job is far off: it pays off sooner still. */
const WORTH_OF_READ = 0.5;

/** Other processes look at other times, so the looks of this one may be closer together by this factor. */
const SHARED_GAP = 0.8;

/** Looks come up to this part of the gap sooner or later, so that processes look at different times. */
const SPREAD = 0.15;

/** How many steps find the time of a look, and how far ahead it may be, in ms. */
const STEPS = 16;
const LONGEST_MS = 600_000;

/** When to look at the history again. */
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

/** What is known before a job is read separately, at a time learned from jobs like it. */
export interface OwnReadsSeen extends Pick<LooksSeen, 'arePlacesWanted' | 'averageMs'> {
	/** Jobs that are waited for. */
	watching: number;
	/** How far apart reads are to be, whichever of these jobs they are of, in ms. */
	gapMs: number;
}

/** When a job that is read separately is likely enough to have ended. */
export function nextOwnRead(job: Watched, seen: OwnReadsSeen, now: number): Planned {
	const gapMs = seen.watching * seen.gapMs;
	const from = Math.max(job.knownAt + Math.max(LEAST_READ_GAP_MS, gapMs / 2), now);
	const worthMs = WORTH * WORTH_OF_READ * costMs(1, gapMs, seen.averageMs);
	const countsEach = seen.arePlacesWanted || seen.watching > 1;
	const at = whenIdle([job], { from, step: gapMs, worthMs, countsEach });
	return { at, because: 'it has likely ended by now' };
}

/**
 * How long places stand empty for each request, on average, in ms, if requests are `gapMs` apart and ends come
 * evenly until all jobs have ended.
 */
const costMs = (jobs: number, gapMs: number, averageMs: number) =>
	jobs * (gapMs < averageMs ? gapMs ** 2 / (2 * averageMs) : gapMs - averageMs / 2);

interface Idle {
	/** The earliest result, elapsed ms. */
	from: number;
	/** The first guess, in ms after `from`. */
	step: number;
	/** How long jobs must have been over, in ms. */
	worthMs: number;
	/** Every empty place counts; otherwise only the end of the last job does. */
	countsEach: boolean;
}

/** When jobs will have been over for `worthMs`, on average, elapsed ms. */
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
