import { forecastOf } from '../../../nodes/shared/plan/pace.ts';
import type { Planned } from '../../../nodes/shared/plan/planned.ts';
import {
	isScarce,
	mostPauseMs,
	opensAt,
	plannable,
	pollGapMs,
	slownessAfter,
	type Priority,
	type RequestsSeen,
	type SentRequest,
} from '../../../nodes/shared/plan/requests.ts';

/** When a request of each kind may be sent. Times: elapsed ms; it is 100 s. */

const NOW = 100_000;

/** From the document: 100 requests a minute, and 10 an hour for demo users. */
const AUTHENTICATED = { requests: 100, windowMs: 60_000 };
const DEMO = { requests: 10, windowMs: 3_600_000 };

/** So many that count until then. */
const sent = (count: number, priority: Priority, backAt = 130_000): SentRequest[] =>
	Array.from({ length: count }, () => ({ priority, backAt }));

/** Nothing has been sent, and no job is known. */
const EMPTY: RequestsSeen = {
	limit: AUTHENTICATED,
	sent: [],
	pausedUntil: 0,
	nextPollAt: 0,
	forecast: forecastOf({ waiting: 0, active: 0, followed: 0, averageMs: 6000 }),
	hasJobsElsewhere: false,
	share: 1,
	slowness: 1,
	otherWaiting: 0,
};

/** Five jobs run, and 20 wait: images, and the same where videos were before them. */
const work = { waiting: 20, active: 5, followed: 0 };
const IMAGES = { forecast: forecastOf({ ...work, averageMs: 6000 }) };
const VIDEOS = { forecast: forecastOf({ ...work, averageMs: 45_000 }) };

const USED = (at: number): Planned => ({ at, because: 'all requests of the window are used' });
const PAUSED = (at: number): Planned => ({
	at,
	because: 'the service has refused a request, and the pause is not over',
});

test.each<
	[situation: string, seen: Partial<RequestsSeen>, priority: Priority, opens: 'now' | Planned]
>([
	['an empty account: a creation', {}, 'create', 'now'],
	['an empty account: a poll', {}, 'poll', 'now'],
	['an empty account: a trigger', {}, 'trigger', 'now'],
	['99 of this minute are used', { sent: sent(99, 'other') }, 'create', 'now'],
	[
		'all 100 are used: when the first counts no more',
		{ sent: [...sent(99, 'other'), ...sent(1, 'poll', 110_000)] },
		'create',
		USED(110_000),
	],
	[
		'100 without an answer: not by itself',
		{ sent: sent(100, 'other', Infinity) },
		'create',
		USED(Infinity),
	],
	['a 429 just now: all wait', { pausedUntil: 107_000 }, 'create', PAUSED(107_000)],
	['a 429 just now, ends too', { pausedUntil: 107_000 }, 'end', PAUSED(107_000)],
	[
		'a 429 just now, and all used: the later counts',
		{ pausedUntil: 107_000, sent: sent(100, 'other') },
		'other',
		USED(130_000),
	],
	[
		'the machine slept through the pause: it is over',
		{ pausedUntil: -3_493_000, nextPollAt: -3_499_000 },
		'poll',
		'now',
	],
	[
		'polls are spread',
		{ ...IMAGES, nextPollAt: 100_700 },
		'poll',
		{ at: 100_700, because: 'polls are spread' },
	],
	['an end is not', { ...IMAGES, nextPollAt: 100_700 }, 'end', 'now'],
	[
		'90 reads and polls, jobs run: polls wait',
		{ ...IMAGES, sent: [...sent(60, 'other'), ...sent(30, 'poll')] },
		'poll',
		{ at: 130_000, because: 'some are kept for what nobody foresees' },
	],
	[
		'the same: an end does not',
		{ ...IMAGES, sent: [...sent(60, 'other'), ...sent(30, 'poll')] },
		'end',
		'now',
	],
	[
		'60 reads, jobs run: reads wait',
		{ ...IMAGES, sent: sent(60, 'other') },
		'other',
		{ at: 130_000, because: 'polls have a share of their own' },
	],
	['60 reads, no job runs: they have all', { sent: sent(60, 'other') }, 'other', 'now'],
	[
		'60 reads, jobs of others run: they are no reason',
		{ hasJobsElsewhere: true, sent: sent(60, 'other') },
		'other',
		'now',
	],
	[
		'3 triggers, jobs run',
		{ ...IMAGES, sent: sent(3, 'trigger') },
		'trigger',
		{ at: 130_000, because: 'triggers have a small share while jobs run' },
	],
	[
		'3 triggers, jobs of others run',
		{ hasJobsElsewhere: true, sent: sent(3, 'trigger') },
		'trigger',
		{ at: 130_000, because: 'triggers have a small share while jobs run' },
	],
	['29 triggers, no job runs', { sent: sent(29, 'trigger') }, 'trigger', 'now'],
	[
		'30 triggers, no job runs',
		{ sent: sent(30, 'trigger') },
		'trigger',
		{ at: 130_000, because: 'triggers have a share' },
	],
	[
		'a demo account, 6 reads beside a job',
		{ ...IMAGES, limit: DEMO, sent: sent(6, 'other') },
		'other',
		{ at: 130_000, because: 'polls have a share of their own' },
	],
	[
		'a demo account, 1 trigger beside a job',
		{ ...IMAGES, limit: DEMO, sent: sent(1, 'trigger') },
		'trigger',
		{ at: 130_000, because: 'triggers have a small share while jobs run' },
	],
	[
		'a demo account, 2 triggers without one',
		{ limit: DEMO, sent: sent(2, 'trigger') },
		'trigger',
		'now',
	],
	[
		'a demo account, 3 triggers without one',
		{ limit: DEMO, sent: sent(3, 'trigger') },
		'trigger',
		{ at: 130_000, because: 'triggers have a share' },
	],
])('%s', (_, seen, priority, opens) => {
	const planned = opensAt({ ...EMPTY, ...seen }, priority);
	expect(planned.at <= NOW ? 'now' : planned).toEqual(opens);
});

test.each<[situation: string, seen: Partial<RequestsSeen>, gapMs: number]>([
	['an empty account: hardly at all', {}, 17],
	['images: what creations and ends leave, over the time until all are done', IMAGES, 700],
	['the same jobs after videos: over a minute', VIDEOS, 838],
	['20 polls that still count by then', { ...IMAGES, sent: sent(20, 'poll', 140_000) }, 1260],
	['20 polls that do not', { ...IMAGES, sent: sent(20, 'poll', 131_000) }, 700],
	[
		'20 triggers, which take from the reserve',
		{ ...IMAGES, sent: sent(20, 'trigger', 140_000) },
		700,
	],
	['10 reads wait', { ...IMAGES, otherWaiting: 10 }, 900],
	['70 reads wait, of which 60 may go: a third of a job', { ...IMAGES, otherWaiting: 70 }, 2000],
	['jobs of others: a third of the requests is too few', { ...IMAGES, share: 1 / 3 }, 2000],
	['a 429 just now: twice as far', { ...IMAGES, slowness: 2 }, 1400],
])('between two polls: %s', (_, seen, gapMs) => {
	expect(pollGapMs({ ...EMPTY, ...seen }, NOW)).toBe(gapMs);
});

test.each<[situation: string, seen: Partial<RequestsSeen>, mostMs: number]>([
	['nothing sent: as long as the backoff', {}, Infinity],
	['until the oldest request counts no more', { sent: sent(3, 'other', 114_000) }, 14_000],
	['that is soon: the first pause', { sent: sent(3, 'other', 100_500) }, 8000],
	[
		'what was refused is not counted',
		{
			sent: [{ priority: 'other', backAt: 109_000, isRefused: true }, ...sent(1, 'other', 114_000)],
		},
		14_000,
	],
])('the longest pause after a 429: %s', (_, seen, mostMs) => {
	expect(mostPauseMs({ ...EMPTY, ...seen }, NOW)).toBe(mostMs);
});

test.each([
	['just now', 0, 2.25],
	['24 s ago', 24_000, 2],
	['a minute ago', 60_000, 1.625],
	['two minutes ago', 120_000, 1],
	['never', Infinity, 1],
])('the last 429 was %s', (_, sinceMs, slowness) => {
	expect(slownessAfter(sinceMs)).toBeCloseTo(slowness, 9);
});

test.each([
	['alone: all', 1, 100],
	['beside others: all but the reserve', 1 / 2, 90],
])('requests that polls are planned with, %s', (_, share, requests) => {
	expect(plannable({ ...EMPTY, share }).requests).toBeCloseTo(requests, 6);
});

test.each([
	['100 a minute', AUTHENTICATED, false],
	['10 an hour', DEMO, true],
])('%s is scarce: %s', (_, limit, scarce) => {
	expect(isScarce(limit)).toBe(scarce);
});
