import type { IDataObject, IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import {
	keepTimesPast,
	keptIn,
	KILLED_WHILE_SENT,
	loadState,
	paidIdsIn,
	parkedIn,
	SUPERVISOR,
	supervisorStateIn,
	unknownOutcomeOf,
	WORK,
	workIn,
	workItem,
	type WorkState,
} from '../../../nodes/shared/durable/state.ts';
import { LEDGER } from '../../../nodes/shared/jobs/ledger.ts';
import type { Order } from '../../../nodes/shared/jobs/order.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';
import { NODE } from './caller.mts';

/** What an execution in a role is started with, remembers, and finds in the database of another. */

const job = { id: 'j1', idField: 'generation_id', startedAt: 1000 } as const;
const RUNNING = { state: 'running', job } as object as Order;
const DOUBT: Order = { state: 'inDoubt', unknownOutcome: 'The answer was lost' };

/** The execution, by what comes in and what its node remembers. */
const contextOf = (json: IDataObject | undefined, memory: IDataObject) =>
	({
		getContext: (kind: string) => (kind === 'node' ? memory : {}),
		getInputData: () => (json ? [{ json }] : []),
	}) as unknown as IExecuteFunctions;

describe('what it was started with', () => {
	it('is taken in once, as a copy, with the ledger', () => {
		const given = { [WORK]: { told: 1 }, [LEDGER]: { entries: { 0: 'order' } }, other: 2 };
		const memory: IDataObject = {};
		const { state, isNew } = loadState<{ told: number }>(contextOf(given, memory), WORK);
		expect(isNew).toBe(true);
		expect(memory).toEqual({ [WORK]: { told: 1 }, [LEDGER]: { entries: { 0: 'order' } } });
		state.told = 3;
		expect(memory[WORK]).toEqual({ told: 3 });
		expect(given[WORK]).toEqual({ told: 1 });
	});

	it('gives way to what is remembered by now', () => {
		const memory = { [WORK]: { told: 3 } };
		const given = { [WORK]: { told: 1 }, [LEDGER]: { entries: {} } };
		const loaded = loadState<object>(contextOf(given, memory), WORK);
		expect(loaded).toEqual({ state: { told: 3 }, isNew: false });
		expect(memory).toEqual({ [WORK]: { told: 3 } });
	});

	it('may be nothing', () => {
		const memory: IDataObject = {};
		const loaded = loadState<undefined>(contextOf(undefined, memory), SUPERVISOR);
		expect(loaded).toEqual({ state: undefined, isNew: true });
		expect(Object.keys(memory)).toEqual([SUPERVISOR]);
	});

	it.each<[string, IDataObject | undefined, IDataObject, IDataObject]>([
		['nothing', undefined, {}, {}],
		['what comes in', { a: 1 }, {}, { a: 1 }],
		['what is remembered of it', { a: 1, b: 1 }, { a: 2 }, { a: 2, b: 1 }],
	])('is read as parked: %s', (_, json, memory, parked) => {
		expect(parkedIn(contextOf(json, memory))).toEqual(parked);
	});
});

describe('another execution, as n8n has stored it', () => {
	/** By what it was started with, and what a node remembers in it. */
	const stored = (started?: IDataObject, memory?: IDataObject, node = NODE) =>
		({
			resultData: { runData: {} },
			executionData: {
				contextData: memory ? { [`node:${node}`]: memory } : {},
				nodeExecutionStack: started ? [{ data: { main: [[{ json: started }]] } }] : [],
			},
		}) as unknown as IRunExecutionData;

	it.each<[string, IRunExecutionData | undefined, IDataObject]>([
		['was deleted', undefined, {}],
		['has no data', { resultData: { runData: {} } } as IRunExecutionData, {}],
		['has stored nothing', stored(), {}],
		['has just been started', stored({ a: 1 }), { a: 1 }],
		['has begun', stored({ a: 1, b: 1 }, { a: 2 }), { a: 2, b: 1 }],
		['has ended', stored(undefined, { a: 2 }), { a: 2 }],
		['is of another node', stored(undefined, { a: 2 }, 'Other'), {}],
	])('%s', (_, data, kept) => {
		expect(keptIn(data, NODE)).toEqual(kept);
	});

	it.each<[string, IRunExecutionData]>([
		['an input without outputs', { main: [] } as never],
		['an input without items', { main: [[]] } as never],
		['no input', { main: [null] } as never],
	])('may have been started with %s', (_, data) => {
		const executionData = { contextData: {}, nodeExecutionStack: [{ data }] };
		const one = { resultData: { runData: {} }, executionData } as unknown as IRunExecutionData;
		expect(keptIn(one, NODE)).toEqual({});
	});

	it('has its work', () => {
		const work = { state: { parameters: 'typed' } as WorkState, entries: { 0: RUNNING } };
		expect(workIn(stored(workItem(work)), NODE)).toEqual(work);
		expect(workIn(stored({}, workItem(work)), NODE)).toEqual(work);
		expect(workIn(stored({ [LEDGER]: {} }), NODE)).toBeUndefined();
		expect(workIn(undefined, NODE)).toBeUndefined();
	});

	it('has its state as a supervisor', () => {
		const supervisor = { worker: 'w' };
		expect(supervisorStateIn(stored({}, { [SUPERVISOR]: supervisor }), NODE)).toEqual(supervisor);
		// What it was started with does not count until it has stored that itself.
		expect(supervisorStateIn(stored({ [SUPERVISOR]: supervisor }), NODE)).toEqual({});
		expect(supervisorStateIn(undefined, NODE)).toEqual({});
	});
});

test('jobs count as paid for, orders in doubt do not', () => {
	expect(paidIdsIn({ 0: RUNNING, 1: DOUBT, 2: { ...RUNNING, state: 'ended' } as Order })).toEqual([
		'j1',
		'j1',
	]);
	expect(paidIdsIn({})).toEqual([]);
});

describe('when the clock has been set back', () => {
	const NOW = 500;
	const stateOf = (more: Partial<WorkState>) => ({ lastProgressAt: 0, ...more }) as WorkState;

	it('times in the future become now', () => {
		const state = stateOf({ lastProgressAt: 501, checkedAt: 502 });
		const entries = { 0: structuredClone(RUNNING), 1: structuredClone(DOUBT) };
		keepTimesPast(state, entries, NOW);
		expect(state).toEqual({ lastProgressAt: 500, checkedAt: 500 });
		expect(entries[0]).toEqual({
			state: 'running',
			job: { ...job, startedAt: 500 },
		});
		expect(entries[1]).toEqual(DOUBT);
	});

	it('past times stay, and no time is added', () => {
		const past = { state: 'running', job: { ...job, startedAt: 500 } } as object as Order;
		const entries = { 0: structuredClone(past) };
		const state = stateOf({ lastProgressAt: 499, checkedAt: 498 });
		keepTimesPast(state, entries, NOW);
		expect(state).toEqual({ lastProgressAt: 499, checkedAt: 498 });
		expect(entries[0]).toEqual(past);
		const bare = stateOf({});
		keepTimesPast(bare, {}, NOW);
		expect(bare).toEqual({ lastProgressAt: 0 });
	});
});

describe('the error of an order whose outcome is unknown', () => {
	it('says what happened to it, and begins with the reason', () => {
		const { message, description, outcome } = unknownOutcomeOf(GENERATE_IMAGE, KILLED_WHILE_SENT);
		expect(message).toBe(
			'n8n ended while this job was being created; it may exist, and may have been paid for',
		);
		expect(outcome).toBe('unknown');
		expect(description).not.toMatch(/^[\s.]|undefined/);
		const told = unknownOutcomeOf(GENERATE_IMAGE, KILLED_WHILE_SENT, 'The history is unreadable');
		expect(told.description).toBe(`The history is unreadable. ${description}`);
	});

	it('names the jobs of the history that may be its', () => {
		const candidates = [{ jobId: 'j9', prompt: 'a cat' }] as never;
		const { description } = unknownOutcomeOf(GENERATE_IMAGE, { ...KILLED_WHILE_SENT, candidates });
		expect(description).toContain('j9 (time not known, "a cat")');
	});
});
