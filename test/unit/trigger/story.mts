import type { IDataObject } from 'n8n-workflow';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { Draw } from '../faults/draw.mts';
import { often, passing } from '../faults/rules.mts';

/** A job that somebody starts outside of n8n. */
export interface JobPlan {
	/** Resource and operation of the creation. */
	made: string;
	fails: boolean;
	/** How long it takes, ms. */
	ms: number;
}

/** What happens besides polls, ms after what happened before. */
export type Happening = { afterMs: number } & (
	| { kind: 'jobs'; jobs: JobPlan[] }
	| { kind: 'faults'; rules: FaultRuleInput[] }
	| { kind: 'heal' }
	| { kind: 'restart'; downMs: number }
	| { kind: 'off' | 'on'; trigger: number }
);

export interface Story {
	seed: number;
	settings: SandboxSettingsInput;
	triggers: Array<{ parameters: IDataObject; everyMinutes: number }>;
	/** Before the triggers are activated. */
	earlier: JobPlan[];
	happenings: Happening[];
	/** Without faults at the end, ms: all that is still to come has come by then. */
	calmMs: number;
}

type ListShape = NonNullable<NonNullable<SandboxSettingsInput['shapes']>['list']>;

const SECOND_MS = 1000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** Entries that each poll reads, whatever they are; `manyJobs` has longer lists. */
const MOST_JOBS = 100;

/** Their states can be read by the route that each list stands for. */
const MAKERS = [
	'image generate',
	'image generate',
	'standardVideo generate',
	'videoStudio generate',
	'videoStudio generate',
] as const;

/** In the sandbox, the state of these cannot be read but by a route that no list tells. */
const UNREADABLE = ['image generateUnified', 'vidA31 generate'] as const;

/** What happens in the run of a seed. */
export function drawStory(seed: number): Story {
	const draw = new Draw(seed);
	const isLong = draw.chance(0.2);
	const longestMs = isLong
		? draw.pick([30 * MINUTE_MS, HOUR_MS, 3 * HOUR_MS])
		: draw.pick([5 * SECOND_MS, 40 * SECOND_MS, 5 * MINUTE_MS]);
	// Few jobs on one page: then their lists tell all of them.
	const isSmall = draw.chance(0.3);
	const drawJob = (): JobPlan => ({
		made: draw.pick<string>(isSmall ? [...MAKERS, ...UNREADABLE] : MAKERS),
		fails: draw.chance(0.2),
		ms: draw.chance(0.6)
			? draw.whole(2 * SECOND_MS, Math.min(longestMs, MINUTE_MS))
			: draw.whole(2 * SECOND_MS, longestMs),
	});
	const earlier = draw.list(draw.pick([0, 3, 10, 40]), drawJob);
	let left = MOST_JOBS - earlier.length;
	const drawJobs = (most: number) => {
		const jobs = draw.list(Math.min(left, draw.skewed(1, most)), drawJob);
		left -= jobs.length;
		return jobs;
	};
	const triggers = draw.list(draw.pick([1, 1, 1, 2, 3]), () => ({
		parameters: drawParameters(draw),
		everyMinutes: isLong
			? draw.pick([5, 10, longestMs > HOUR_MS ? 60 : 5])
			: draw.pick([1, 1, 1, 2]),
	}));
	const happenings = drawHappenings(draw, triggers.length, (most) =>
		drawJobs(isSmall ? Math.min(most, 3) : most),
	);
	const slowest = Math.max(...triggers.map(({ everyMinutes }) => everyMinutes));
	return {
		seed,
		settings: {
			seed,
			credits: { purchased: 1_000_000 },
			queuedMs: draw.pick([0, 1000]),
			retryAfter: draw.chance(0.3),
			shapes: {
				creation: { ids: draw.pick(['uuid', 'uuid', 'number', 'number']) },
				record: {
					resultUrl: draw.pick([null, null, 'url', 'result.url', 'images[]']),
					stateField: draw.pick(['status', 'state']),
					oddStatus: draw.chance(0.2),
					upperCase: draw.chance(0.2),
					enveloped: draw.chance(0.3),
					echo: draw.chance(0.2),
				},
				list: drawList(draw, isSmall),
			},
		},
		triggers,
		earlier,
		happenings,
		calmMs: longestMs + (13 + 4 * slowest) * MINUTE_MS,
	};
}

function drawParameters(draw: Draw): IDataObject {
	return {
		events: draw.pick([['completed'], ['completed', 'failed'], ['failed'], 'completed,failed']),
		mediaType: draw.pick(['all', 'all', 'image', 'video']),
		options: draw.chance(0.3) ? { simplify: false } : {},
	};
}

/** What histories list, and how they page. */
function drawList(draw: Draw, isSmall: boolean): ListShape {
	return {
		body: draw.pick(['array', 'array', 'results', 'items', 'data', 'dataResults']),
		lists: draw.pick(['all', 'all', 'all', 'ended', 'image', 'video']),
		zone: !draw.chance(0.15),
		trimmed: draw.chance(0.2),
		pageSize: draw.pick([5, 20]),
		maxPage: isSmall ? null : draw.pick([null, null, null, 10, 25, 50]),
		order: draw.pick(['newest', 'newest', 'oldest']),
		entries: {
			idField: draw.pick([null, null, 'task_id']),
			stateField: draw.pick([null, null, 'state']),
			urls: isSmall || draw.chance(0.3),
			types: isSmall ? null : draw.pick([null, null, true, false]),
			times: draw.pick([null, null, true, false]),
			enveloped: draw.chance(0.2),
		},
	};
}

const KINDS = [
	'jobs',
	'jobs',
	'jobs',
	'jobs',
	'jobs',
	'faults',
	'faults',
	'heal',
	'restart',
	'off',
	'on',
] as const;

function drawHappenings(
	draw: Draw,
	triggers: number,
	drawJobs: (most: number) => JobPlan[],
): Happening[] {
	return draw.list(draw.whole(3, 16), (): Happening => {
		const afterMs = draw.skewed(0, 6 * MINUTE_MS);
		const trigger = draw.whole(0, triggers - 1);
		const kind = draw.pick(KINDS);
		switch (kind) {
			case 'jobs':
				return { afterMs, kind, jobs: drawJobs(draw.pick([1, 3, 10, 60])) };
			case 'faults':
				return { afterMs, kind, rules: [drawRule(draw, 'status'), ...drawListFaults(draw)] };
			case 'restart':
				return { afterMs, kind, downMs: draw.pick([0, 5000, draw.whole(0, 10 * MINUTE_MS)]) };
			case 'off':
			case 'on':
				return { afterMs, kind, trigger };
			default:
				return { afterMs, kind };
		}
	});
}

const drawListFaults = (draw: Draw) => draw.list(draw.whole(0, 2), () => drawRule(draw, 'list'));

/** What passes on the way to lists and states, or an answer that is none. */
function drawRule(draw: Draw, kind: 'list' | 'status'): FaultRuleInput {
	const body = draw.pick(['', '[]]', 'null', '"no"', '{}', '17']);
	const odd: FaultRuleInput['fault'] = { kind: 'status', status: 200, body };
	return { match: { kind }, fault: draw.chance(0.15) ? odd : passing(draw), ...often(draw) };
}
