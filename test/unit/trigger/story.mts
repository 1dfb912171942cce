import type { IDataObject } from 'n8n-workflow';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { Draw } from '../faults/draw.mts';

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
	| { kind: 'edit'; trigger: number; parameters: IDataObject }
	| { kind: 'off' | 'on'; trigger: number }
	| { kind: 'skew'; ms: number }
);

export interface Story {
	seed: number;
	settings: SandboxSettingsInput;
	credential: IDataObject;
	keeping: 'process' | 'tasks' | 'cursors';
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

/** Entries that the trigger asks for at once, and how many times at most (`readList`). */
const PAGE = 100;
const PAGES = 20;

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
	const drawJobs = (most: number) => draw.list(draw.skewed(1, most), drawJob);
	const earlier = draw.list(draw.pick([0, 3, 10, isSmall ? 10 : draw.skewed(0, 200)]), drawJob);
	const triggers = draw.list(draw.pick([1, 1, 1, 2, 3]), () => ({
		parameters: drawParameters(draw),
		everyMinutes: isLong
			? draw.pick([5, 10, longestMs > HOUR_MS ? 60 : 5])
			: draw.pick([1, 1, 1, 2]),
	}));
	const happenings = drawHappenings(draw, triggers.length, (most) =>
		drawJobs(isSmall ? Math.min(most, 3) : most),
	);
	const jobs = happenings.flatMap((one) => (one.kind === 'jobs' ? one.jobs : []));
	const list = drawList(draw, [earlier.length, jobs.length], longestMs, isSmall);
	const none = [undefined, null] as const;
	const [identifierField, idField] = draw.pick([
		none,
		none,
		[undefined, 'task_id'],
		['ref', 'ref'],
	]);
	const [stateSetting, stateField] = draw.pick([
		none,
		none,
		[undefined, 'state'],
		['step', 'step'],
	]);
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
				list: { ...list, entries: { ...list.entries, idField, stateField } },
			},
		},
		credential: {
			...(identifierField && { identifierField }),
			...(stateSetting && { stateField: stateSetting }),
		},
		keeping: draw.pick(['process', 'process', 'process', 'tasks', 'cursors']),
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

/** How histories lie, lag and page, as far as the trigger can still keep its word. */
function drawList(
	draw: Draw,
	[earlier, later]: [number, number],
	longestMs: number,
	isSmall: boolean,
): ListShape {
	const repeats = draw.chance(0.2);
	const jobs = earlier + later;
	const each = repeats ? 2 : 1;
	const entries = each * jobs;
	const drawnPage = isSmall ? null : draw.pick([null, null, null, 10, 25, 50]);
	// A job that goes on below what the first poll can read is not known.
	const maxPage = drawnPage !== null && each * earlier > drawnPage * PAGES ? null : drawnPage;
	const page = Math.min(maxPage ?? PAGE, PAGE);
	const isOnePage = entries <= page;
	const isReadable = entries <= page * PAGES;
	// A job that is listed late, and below a hundred others, is not looked for.
	const lagMs = draw.pick([0, 0, 20, 120]) * (jobs < PAGE ? SECOND_MS : 0);
	const stateLagMs = draw.pick([0, 0, 20, 300]) * SECOND_MS;
	// A list of ended jobs alone shows a job late, and below others: so late is still looked for.
	const mayLackRunning = isOnePage || longestMs + lagMs + stateLagMs < 9 * MINUTE_MS;
	const others = isReadable ? (['oldest', 'fixed'] as const) : (['newest'] as const);
	// Pages of a list that is shuffled between them may leave out anything.
	const mixed = isOnePage ? 'shuffled' : 'newest';
	return {
		body: draw.pick(['array', 'array', 'results', 'items', 'data', 'dataResults']),
		lists: draw.pick(['all', 'all', 'all', mayLackRunning ? 'ended' : 'all', 'image', 'video']),
		zone: !draw.chance(0.15),
		trimmed: draw.chance(0.2),
		pageSize: draw.pick([5, 20]),
		maxPage,
		// Of a longer list no more than the first page is ever shown.
		ignoresOffset: isOnePage && draw.chance(0.3),
		order: draw.pick(['newest', 'newest', 'newest', ...others, mixed]),
		repeats,
		keeps: draw.chance(0.2) ? draw.whole(10, 60) : null,
		lagMs: { min: 0, max: lagMs },
		stateLagMs: { min: 0, max: stateLagMs },
		entries: {
			urls: isSmall || draw.chance(0.3),
			types: isSmall ? null : draw.pick([null, null, true, false]),
			// Without times, a list is read to its end.
			times: draw.pick([null, null, true, isReadable ? false : true]),
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
	'edit',
	'off',
	'on',
	'skew',
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
			case 'edit':
				return { afterMs, kind, trigger, parameters: drawParameters(draw) };
			case 'skew':
				return {
					afterMs,
					kind,
					ms: draw.whole(-5, 5) * draw.pick([7 * SECOND_MS, 5 * MINUTE_MS, HOUR_MS]),
				};
			case 'off':
			case 'on':
				return { afterMs, kind, trigger };
			default:
				return { afterMs, kind };
		}
	});
}

const drawListFaults = (draw: Draw) => draw.list(draw.whole(0, 2), () => drawRule(draw, 'list'));

/** What passes on the way to lists and states. */
function drawRule(draw: Draw, kind: 'list' | 'status'): FaultRuleInput {
	const headers = draw.chance(0.5) && { 'retry-after': String(draw.whole(0, 40)) };
	const bodies = ['', '[]]', 'null', '"no"', '{}', '17'];
	const fault = draw.pick<FaultRuleInput['fault']>([
		{ kind: 'status', status: draw.pick([500, 502, 503]) },
		{ kind: 'status', status: 429, ...(headers && { headers }) },
		{ kind: 'reset' },
		{ kind: 'hang' },
		{ kind: 'garbage' },
		{ kind: 'slow', ms: draw.whole(100, 29_000) },
		{ kind: 'slow', ms: draw.whole(31_000, 120_000) },
		{ kind: 'status', status: 200, body: draw.pick(bodies) },
	]);
	return {
		match: { kind },
		fault,
		...(draw.chance(0.5)
			? { times: draw.whole(2, 8) }
			: { times: draw.whole(5, 30), probability: draw.whole(30, 80) / 100 }),
	};
}
