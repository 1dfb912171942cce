import { EndModel } from '../../../nodes/shared/plan/endModel.ts';
import {
	nextLook,
	nextOwnRead,
	type LooksSeen,
	type OwnReadsSeen,
	type Watched,
} from '../../../nodes/shared/plan/looks.ts';
import type { Planned } from '../../../nodes/shared/plan/planned.ts';

/** When the history is looked at, and jobs of which it does not tell are read by themselves. Times: elapsed ms. */

/** 95 in 100 end within these times, evenly. */
const IMAGE = new EndModel({ fromMs: 3000, toMs: 9000 });
const VIDEO = new EndModel({ fromMs: 30_000, toMs: 45_000 });

/** Jobs that were created together, and not looked at since. */
const jobs = (count: number, model = IMAGE, startedAt = 0): Watched[] =>
	Array.from({ length: count }, () => ({ startedAt, knownAt: startedAt, model }));

/** Five images that were created at 0, others waiting; jobs take 6 s, looks are 0.6 s apart. */
const FIVE_IMAGES: LooksSeen = {
	watched: jobs(5),
	lookedAt: 0,
	areOthers: false,
	arePlacesWanted: true,
	gapMs: 600,
	averageMs: 6000,
	chance: 0,
};

const PLACES_FREE = (at: number): Planned => ({ at, because: 'places have likely become free' });
const ENDED = (at: number): Planned => ({ at, because: 'the jobs have likely ended' });
const OTHERS = (at: number): Planned => ({
	at,
	because: 'others use the account: places may be free',
});

/** To the whole ms. */
const rounded = ({ at, because }: Planned): Planned => ({ at: Math.round(at), because });

/** Videos and images: 24 s on average. */
const MIXED = { averageMs: 24_000 };

test.each<[situation: string, seen: Partial<LooksSeen>, now: number, look: Planned]>([
	['an empty account, where jobs wait', { watched: [] }, 100, PLACES_FREE(250)],
	['five images, others wait: soon after the first can have ended', {}, 0, PLACES_FREE(3515)],
	[
		'two images, none waits: the last of all counts',
		{ watched: jobs(2), arePlacesWanted: false },
		0,
		ENDED(3728),
	],
	['it is later than that by now', {}, 5000, PLACES_FREE(5000)],
	['but 0.25 s after the last look at the soonest', { lookedAt: 5000 }, 5010, PLACES_FREE(5250)],
	[
		'an image begun before four videos',
		{ ...MIXED, watched: [...jobs(1), ...jobs(4, VIDEO)] },
		0,
		PLACES_FREE(3576),
	],
	[
		'the same where none waits: the videos have to end, too',
		{ ...MIXED, arePlacesWanted: false, watched: [...jobs(1), ...jobs(4, VIDEO)] },
		0,
		ENDED(30_911),
	],
	[
		'an image begun 28 s after a video: the video can end first',
		{ ...MIXED, watched: [...jobs(1, VIDEO), ...jobs(1, IMAGE, 28_000)] },
		28_000,
		PLACES_FREE(30_576),
	],
	[
		'a 429 just now: looks are twice as far apart, and this one is later',
		{ gapMs: 1200 },
		0,
		PLACES_FREE(4030),
	],
	[
		'a 429, and an eighth of the requests: looks are 48 s apart, all have ended long before, and waiting is no longer worth it',
		{ gapMs: 48_000 },
		0,
		PLACES_FREE(37_798),
	],
	[
		'jobs of others: by the gap alone, a little closer',
		{ areOthers: true, lookedAt: 10_000 },
		10_000,
		OTHERS(10_480),
	],
	[
		'jobs of others, chance says later',
		{ areOthers: true, lookedAt: 10_000, chance: 1 },
		10_000,
		OTHERS(10_552),
	],
	[
		'jobs of others, chance says sooner',
		{ areOthers: true, lookedAt: 10_000, chance: -1 },
		10_000,
		OTHERS(10_408),
	],
	[
		'jobs of others, many requests left: 0.25 s after the last look',
		{ areOthers: true, lookedAt: 10_000, gapMs: 200 },
		10_000,
		OTHERS(10_250),
	],
	[
		'jobs of others, and no look for long: now',
		{ areOthers: true, lookedAt: 10_000 },
		20_000,
		OTHERS(20_000),
	],
	[
		'created before the clock was set back: it counts from this moment',
		{ watched: jobs(5, IMAGE, 70_000), lookedAt: 70_000 },
		70_000,
		PLACES_FREE(73_515),
	],
])('a look: %s', (_, seen, now, look) => {
	expect(rounded(nextLook({ ...FIVE_IMAGES, ...seen }, now))).toEqual(look);
});

/** Five jobs are waited for; reads of any of them are 0.6 s apart. */
const AMONG_FIVE: OwnReadsSeen = {
	watching: 5,
	gapMs: 600,
	arePlacesWanted: true,
	averageMs: 6000,
};
const ALONE: OwnReadsSeen = { ...AMONG_FIVE, watching: 1, arePlacesWanted: false };

const [IMAGE_JOB, VIDEO_JOB] = [jobs(1)[0]!, jobs(1, VIDEO)[0]!];

test.each<[situation: string, job: Watched, seen: OwnReadsSeen, now: number, at: number]>([
	['one of five images', IMAGE_JOB, AMONG_FIVE, 0, 4821],
	['an image alone', IMAGE_JOB, ALONE, 0, 3364],
	[
		'an image alone, others wait for its place',
		IMAGE_JOB,
		{ ...ALONE, arePlacesWanted: true },
		0,
		3364,
	],
	['a video among images', VIDEO_JOB, AMONG_FIVE, 0, 32_879],
	[
		'a video, jobs taking 24 s on average',
		VIDEO_JOB,
		{ ...AMONG_FIVE, averageMs: 24_000 },
		0,
		31_440,
	],
	[
		'a 429 just now: reads are twice as far apart',
		IMAGE_JOB,
		{ ...AMONG_FIVE, gapMs: 1200 },
		0,
		6642,
	],
	[
		'it went on at 6 s: half of its gap later',
		{ ...IMAGE_JOB, knownAt: 6000 },
		AMONG_FIVE,
		6000,
		7500,
	],
	[
		'it went on at 6 s, and is alone: half a second later',
		{ ...IMAGE_JOB, knownAt: 6000 },
		ALONE,
		6000,
		6500,
	],
	['it is later than that by now', IMAGE_JOB, AMONG_FIVE, 20_000, 20_000],
])('a read of its own: %s', (_, job, seen, now, at) => {
	const because = 'it has likely ended by now';
	expect(rounded(nextOwnRead(job, seen, now))).toEqual({ at, because });
});
