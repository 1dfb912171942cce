import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { forgetAll } from '../../../nodes/shared/durable/parking.ts';
import {
	type SerializedResult,
	storePlans,
	WORK,
	type WorkState,
} from '../../../nodes/shared/durable/state.ts';
import { work } from '../../../nodes/shared/durable/worker.ts';
import type { JobResult, JobSpec } from '../../../nodes/shared/jobs/jobContext.ts';
import { Ledger, LEDGER, ledgerOf } from '../../../nodes/shared/jobs/ledger.ts';
import type { Order } from '../../../nodes/shared/jobs/order.ts';
import type { Place } from '../../../nodes/shared/limits/places.ts';
import type { ItemPlan, Run } from '../../../nodes/shared/run/run.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { NODE, workState } from './caller.mts';

/** What the worker of a durable run decides at the end of a tick, and what n8n stores of it. */

let clock = new VirtualClock();
let memory: IDataObject;
/** What it was started with. */
let given: IDataObject;
/** Until when it has parked, ms since 1970. */
let parkedTill: number | undefined;
let log: string[];
let claims: Set<string>;

/** What those around it do. */
let around: {
	/** How long such jobs take, ms. */
	typical?: { fromMs: number; toMs: number };
	ownership: { kind: string; standby?: string };
	/** The jobs of a tick, and what it has to do. */
	tick: (run: Run, asked: { items: JobSpec[]; next: JobSpec[] }) => Worked | Promise<Worked>;
	open: () => void;
	reconciled: Map<number, object>;
};
type Worked = {
	results?: Array<[number, { value: JobResult } | { error: unknown }]>;
	places?: Place[];
};

/** What it has asked of them. */
let asked: {
	items: number[];
	withPlace: number[];
	next: number[];
	publishes: number;
	others: object[];
};

const workOnItems = async (run: Run, _: unknown, todo: { items: JobSpec[]; next: JobSpec[] }) => {
	const indexes = (items: JobSpec[]) => items.map(({ itemIndex }) => itemIndex);
	asked.items = indexes(todo.items);
	asked.withPlace = indexes(todo.items.filter(({ place }) => place));
	asked.next = indexes(todo.next);
	const { results = [], places = [] } = await around.tick(run, todo);
	return { results: new Map(results), places };
};
const openDurable = async (context: IExecuteFunctions) => {
	around.open();
	const ledger = new Ledger(context.getContext('node'), { index: 0 });
	const account = {
		claims,
		loop: { durations: { typical: () => around.typical } },
	};
	return { context, clock, ledger, account, executionId: 'caller', parameters: '', isRetry: false };
};

jest.mock('../../../nodes/shared/durable/workOnItems.ts', () => ({
	...jest.requireActual('../../../nodes/shared/durable/workOnItems.ts'),
	workOnItems: async (...all: Parameters<typeof workOnItems>) => await workOnItems(...all),
	openDurable: async (context: IExecuteFunctions) => await openDurable(context),
}));
jest.mock('../../../nodes/shared/durable/supervisor.ts', () => ({
	ownershipOf: async () => around.ownership,
	startSupervisor: async (_: unknown, __: unknown, known: object) => {
		asked.others.push(known);
		return 'new supervisor';
	},
}));
jest.mock('../../../nodes/shared/durable/results.ts', () => ({
	...jest.requireActual('../../../nodes/shared/durable/results.ts'),
	publishResults: async () => {
		asked.publishes += 1;
		return 'hand-over';
	},
}));
jest.mock('../../../nodes/shared/jobs/reconcile.ts', () => ({
	candidatesFor: async (_: unknown, sent: object[]) => {
		asked.others.push(...sent);
		return around.reconciled;
	},
}));

const context = {
	getNode: () => ({ name: NODE, type: 'n8n-nodes-mediagen.mediaGenImage', parameters: {} }),
	getExecutionId: () => 'worker',
	getContext: () => memory,
	getInputData: () => [{ json: given }],
	putExecutionToWait: async (till: Date) => void (parkedTill = till.getTime()),
	logger: { warn: (text: string) => log.push(text), info: (text: string) => log.push(text) },
} as unknown as IExecuteFunctions;

const TIMEOUT_S = 600;

const planOf = (itemIndex: number, options: Partial<ItemPlan['options']>) => ({
	value: {
		itemIndex,
		operation: GENERATE_IMAGE,
		values: { prompt: `image ${itemIndex}` },
		request: { method: 'POST', path: '/', body: { prompt: `image ${itemIndex}` } },
		options: { timeout: TIMEOUT_S, ...options },
		read: () => true,
	} as unknown as ItemPlan,
});

interface Batch {
	items?: number;
	maxRunning?: number;
	entries?: Record<string, Order>;
}

/** The state as n8n has stored it after the tick before. */
function stored(
	more: Partial<WorkState> = {},
	{ items = 3, maxRunning = 5, entries = {} }: Batch = {},
) {
	const plans = Array.from({ length: items }, (_, item) =>
		planOf(item, { maxConcurrentJobs: maxRunning }),
	);
	const state = workState({
		plans: storePlans(plans),
		lastProgressAt: clock.now(),
		...more,
	});
	memory = { [WORK]: state as object as IDataObject, ...ledgerOf(entries) };
	return state;
}

/** Its job runs, since so many ms. */
const running = (id: string, ms = 0) =>
	({
		state: 'running',
		job: { id, creation: {}, startedAt: clock.now() - ms },
	}) as unknown as Order;

const DONE = { value: { job: { id: 'done' }, snapshot: {} } } as unknown as SerializedResult;
const FAILED = { error: { message: 'No', description: 'Why' } } as SerializedResult;

const place = () => ({ release: jest.fn() }) as unknown as jest.Mocked<Place>;

/** One tick; how the worker goes on. */
async function tick() {
	parkedTill = undefined;
	const [given = []] = await clock.run(work(context, clock));
	const [item] = given;
	if (!item) return 'ends';
	expect(item.json).toEqual({ mediaGenAgain: true });
	return parkedTill === undefined ? 'goes on' : `parks for ${(parkedTill - clock.now()) / 1000} s`;
}

beforeEach(() => {
	forgetAll();
	clock = new VirtualClock();
	log = [];
	given = {};
	claims = new Set();
	asked = { items: [], withPlace: [], next: [], publishes: 0, others: [] };
	around = {
		ownership: { kind: 'owned' },
		tick: () => ({}),
		open: () => {},
		reconciled: new Map(),
	};
});

describe('what it notes, and creates', () => {
	it('notes as many as there are places for, and creates none of them', async () => {
		const state = stored({}, { items: 4 });
		const places = [place(), place()];
		around.tick = () => ({ places });
		expect(await tick()).toBe('goes on');
		expect(asked).toMatchObject({ items: [], next: [0, 1, 2, 3] });
		expect(state.intents).toEqual({
			at: clock.now(),
			items: [0, 1],
		});
		for (const { release } of places) expect(release).not.toHaveBeenCalled();
	});

	it('creates what it has noted, and only that, with those places', async () => {
		const state = stored({}, { items: 4 });
		const places = [place(), place()];
		around.tick = () => ({ places });
		await tick();
		await clock.advance(20_000);
		around.tick = () => ({});
		await tick();
		expect(asked).toMatchObject({ items: [0, 1], withPlace: [0, 1], next: [2, 3] });
		expect(state.intents.items).toEqual([]);
		// They are the jobs' from then on.
		for (const { release } of places) expect(release).not.toHaveBeenCalled();
	});

	it('creates no more than it has places for', async () => {
		const state = stored();
		around.tick = () => ({ places: [place()] });
		await tick();
		state.intents.items = [0, 1];
		around.tick = () => ({});
		await tick();
		expect(asked).toMatchObject({ items: [0], withPlace: [0] });
	});

	it.each([
		['more than 20 s ago', 20_001],
		['in a time to come, before the clock was set', -1],
	])('does not create what it noted %s, and gives the places back', async (_, ago) => {
		const state = stored();
		const places = [place()];
		around.tick = () => ({ places });
		await tick();
		state.intents.at = clock.now() - ago;
		around.tick = () => ({});
		await tick();
		expect(asked).toMatchObject({ items: [], next: [0, 1, 2] });
		expect(places[0]?.release).toHaveBeenCalledTimes(1);
	});

	it('gives places back that nothing is left for', async () => {
		stored({}, { items: 1 });
		const places = [place(), place()];
		around.tick = () => ({ places });
		await tick();
		expect(places.map(({ release }) => release.mock.calls.length)).toEqual([0, 1]);
	});

	it.each<[string, Partial<WorkState>, Batch, number[]]>([
		['no more than may run', {}, { items: 4, maxRunning: 2 }, [0, 1]],
		['none that has come to its end', { results: { 0: DONE } }, {}, [1, 2]],
		[
			'the others too, under Continue',
			{ results: { 0: FAILED }, continueOnFail: true },
			{},
			[1, 2],
		],
	])('%s', async (_, more, batch, next) => {
		stored(more, batch);
		await tick();
		expect(asked.next).toEqual(next);
	});

	it('nothing after a failure, while others run', async () => {
		const entries = { '0:1': running('b') };
		stored({ results: { 0: FAILED } }, { entries });
		await tick();
		expect(asked).toMatchObject({ items: [1], next: [] });
		expect(log).toEqual([]);
	});

	it('counts those that run', async () => {
		stored({}, { items: 4, maxRunning: 2, entries: { '0:0': running('a') } });
		await tick();
		expect(asked).toMatchObject({ items: [0], withPlace: [], next: [1] });
		expect([...claims]).toEqual(['a']);
	});

	it('begins none while more run than may', async () => {
		const entries = { '0:0': running('a'), '0:1': running('b') };
		stored({}, { items: 4, maxRunning: 1, entries });
		await tick();
		expect(asked).toMatchObject({ items: [0, 1], next: [] });
	});
});

describe('how it goes on', () => {
	it('begins with a round that only stores what it was started with', async () => {
		const state = stored();
		given = memory;
		memory = {};
		expect(await tick()).toBe('goes on');
		expect(memory).toEqual({
			...ledgerOf({}),
			[WORK]: JSON.parse(JSON.stringify(state)) as object,
		});
		expect(asked.next).toEqual([]);
	});

	it('at once, where something came of a job, and keeps that', async () => {
		const state = stored({ lastProgressAt: 0 }, { entries: { '0:0': running('a') } });
		around.tick = () => ({ results: [[0, DONE as never]] });
		expect(await tick()).toBe('goes on');
		expect(state.results[0]).toEqual(DONE);
		expect(state.lastProgressAt).toBe(clock.now());
	});

	it('at once, where a job was created', async () => {
		const state = stored({ lastProgressAt: 0 });
		around.tick = () => ({ places: [place()] });
		await tick();
		around.tick = () => {
			Object.assign((memory[LEDGER] as { entries: object }).entries, { '0:0': running('a') });
			return {};
		};
		expect(await tick()).toBe('goes on');
		expect(state.lastProgressAt).toBe(clock.now());
	});

	it.each<[string, number, number, string]>([
		['stays awake, while there was news a moment ago', 29_000, 1000, 'goes on'],
		['parks for a minute after half a minute without news', 30_000, 30_000, 'parks for 60 s'],
		['parks for an eighth of the time without news', 800_000, 500_000, 'parks for 100 s'],
		['parks no longer than its job has time', 800_000, 550_000, 'parks for 50 s'],
	])('%s', async (_, idleMs, jobMs, expected) => {
		const entries = { '0:0': running('a', jobMs) };
		stored({ lastProgressAt: clock.now() - idleMs }, { items: 1, entries });
		expect(await tick()).toBe(expected);
	});

	/** Such jobs take 300 to 360 s, so that the first poll comes after 305. */
	const TYPICAL = { fromMs: 300_000, toMs: 360_000 };

	it.each<[string, Batch, string]>([
		['a job can have ended', { entries: { '0:0': running('a', 100_000) } }, '205 s'],
		[
			'the first of several can have',
			{ entries: { '0:0': running('a', 100_000), '0:1': running('b', 200_000) } },
			'105 s',
		],
		['the time of the first is up', { entries: { '0:0': running('a', 590_000) } }, '10 s'],
		[
			'a minute later, where the time of one was up before',
			{
				entries: { '0:0': running('a', 600_000), '0:1': running('b', 10_000) },
			},
			'60 s',
		],
	])('parked until %s', async (_, batch, ms) => {
		around.typical = TYPICAL;
		stored({ lastProgressAt: clock.now() - 40_000 }, batch);
		expect(await tick()).toBe(`parks for ${ms}`);
	});

	it('gives a place back that came while what it had noted was not created', async () => {
		const state = stored({}, { entries: {} });
		around.tick = () => ({ places: [place()] });
		await tick();
		state.lastProgressAt = 0;
		const other = place();
		around.tick = () => ({ places: [other] });
		expect(await tick()).toMatch(/^parks/);
		expect(other.release).toHaveBeenCalledTimes(1);
		expect(state.intents.items).toEqual([]);
	});

	it('begins to count the parks without news', async () => {
		const state = stored({ lastProgressAt: 0 }, { entries: { '0:0': running('a', 60_000) } });
		expect(await tick()).toMatch(/^parks/);
		expect(state.silentParks).toEqual({});
	});

	it('counts the parks in which a job was silent whose time is up', async () => {
		const entries = { '0:0': running('a', TIMEOUT_S * 1000), '0:1': running('b', 60_000) };
		const state = stored({ lastProgressAt: 0, silentParks: { 0: 1 } }, { entries });
		expect(await tick()).toMatch(/^parks/);
		expect(state.silentParks).toEqual({ 0: 2 });
	});

	it('hands over once all have come to their end', async () => {
		const state = stored({ results: { 0: DONE, 1: DONE, 2: DONE } });
		around.open = () => {
			throw new Error('No service is needed');
		};
		expect(await tick()).toBe('ends');
		expect(asked.publishes).toBe(1);
		expect(state.resuming).toBe('hand-over');
	});

	it('hands over where one has failed, and none of the others runs', async () => {
		stored({ results: { 0: FAILED } });
		expect(await tick()).toBe('ends');
		expect(asked.publishes).toBe(1);
	});
});

describe('whose run it is', () => {
	it('ends without a word where another works on it', async () => {
		stored({}, { entries: { '0:0': running('a') } });
		around.ownership = { kind: 'superseded' };
		expect(await tick()).toBe('ends');
		expect([asked.publishes, log]).toEqual([0, []]);
	});

	it.each([
		['names what is paid for', { '0:0': running('a') }, ' Paid for: jobs a.'],
		['says so', {}, ''],
	])('ends, and %s, where nobody waits any more', async (_, entries, paid) => {
		stored({}, { entries });
		around.ownership = { kind: 'callerGone' };
		expect(await tick()).toBe('ends');
		expect(asked.publishes).toBe(0);
		expect(log).toEqual([`${NODE}: execution caller does not wait any more.${paid}`]);
	});

	it('starts a supervisor where it has none, and goes on', async () => {
		const silence = { fingerprint: '', times: 2 };
		const state = stored({ silence });
		around.ownership = { kind: 'unsupervised', standby: 'standby' };
		// Stored first: the silent one replaces nobody from then on.
		await tick();
		expect([asked.others, state.isSupervisorDismissed]).toEqual([[], true]);
		await tick();
		expect(state.isSupervisorDismissed).toBeUndefined();
		const copy = { worker: 'worker', work: { state, entries: {} } };
		expect(asked.others).toEqual([{ worker: 'worker', standby: 'standby', copy }]);
		expect(state).toMatchObject({ supervisor: 'new supervisor', silence: undefined });
		expect(asked.next).toEqual([0, 1, 2]);
	});
});

describe('in the place of one that died', () => {
	const replacing = (more: Partial<WorkState> = {}, batch?: Batch) =>
		stored({ isReplacement: true, intents: { at: 5, items: [0, 1] }, ...more }, batch);

	it('asks the history for what that was about to create, and for nothing else', async () => {
		const state = replacing({}, { entries: { '0:1': running('b') } });
		await tick();
		expect(asked.others).toMatchObject([{ itemIndex: 0, prompt: 'image 0', at: 5 }]);
		expect(asked.others).toHaveLength(1);
		expect(state.isReplacement).toBe(false);
		expect([...claims]).toEqual(['b']);
	});

	it('gives up what the history does not tell of: it may be paid for', async () => {
		const state = replacing({ continueOnFail: true });
		const candidates = [{ jobId: 'j9', prompt: 'image 0' }];
		around.reconciled = new Map([
			[0, candidates],
			[1, []],
		]);
		await tick();
		expect(state.results[0]).toMatchObject({
			error: { message: expect.stringContaining('may have been paid for'), outcome: 'unknown' },
		});
		const { entries } = memory[LEDGER] as { entries: Record<string, Order> };
		expect(entries['0:0']).toMatchObject({ state: 'inDoubt', candidates });
		expect(asked.next).toEqual([2]);
	});
});

describe('an error that is about no item', () => {
	const fail = () => {
		around.open = () => {
			throw new Error('The credential is gone');
		};
	};

	it('parks for a minute, says why, and drops what is noted', async () => {
		const state = stored({ intents: { at: clock.now(), items: [0] } });
		fail();
		expect(await tick()).toBe('parks for 60 s');
		expect(state).toMatchObject({
			consecutiveErrors: 1,
			intents: { at: 0, items: [] },
		});
		expect(state.results).toEqual({});
		expect(log).toEqual([`${NODE} waits durably: The credential is gone`]);
	});

	it('keeps the note of one that died: it may have been sent', async () => {
		const intents = { at: 5, items: [0] };
		const state = stored({ isReplacement: true, intents });
		fail();
		await tick();
		expect(state.intents).toEqual(intents);
	});

	it('is forgotten when a tick succeeds', async () => {
		const state = stored({ consecutiveErrors: 4 });
		await tick();
		expect(state.consecutiveErrors).toBe(0);
	});

	it('ends the run when it comes for the fifth time: each item with its job', async () => {
		const entries = { '0:0': running('a') };
		const state = stored({ consecutiveErrors: 4 }, { entries });
		fail();
		await tick();
		expect(state.results).toMatchObject({
			0: {
				error: {
					message: 'The result of job a could not be output: The credential is gone',
					job: { snapshot: { id: 'a' } },
				},
			},
			1: { error: { message: 'The credential is gone' } },
			2: { error: { message: 'The credential is gone' } },
		});
		expect(JSON.stringify(state.results[1])).not.toContain('job');
		expect(await tick()).toBe('ends');
		expect(asked.publishes).toBe(1);
	});

	it('ends it in doubt about what one that died was about to create', async () => {
		const intents = { at: 5, items: [0, 1] };
		const entries = { '0:1': running('b') };
		const state = stored({ consecutiveErrors: 4, isReplacement: true, intents }, { entries });
		fail();
		await tick();
		expect(state.results[0]).toMatchObject({
			error: {
				message: expect.stringContaining('may have been paid for'),
				description: expect.stringContaining('The credential is gone.'),
				outcome: 'unknown',
			},
		});
		expect(state.results[1]).toMatchObject({ error: { job: { snapshot: { id: 'b' } } } });
		const { entries: kept } = memory[LEDGER] as { entries: Record<string, Order> };
		expect(kept['0:0']).toMatchObject({ state: 'inDoubt' });
	});
});
