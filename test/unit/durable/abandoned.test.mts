import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { PARKED_VERSION, RUN_HANDLE } from '../../../nodes/shared/durable/executions.ts';
import {
	type DurableRun,
	durableRunsOf,
	helpersOf,
	NotRecoverable,
	paidJobsOf,
	workOf,
} from '../../../nodes/shared/durable/recovery.ts';
import {
	type SerializedResult,
	storePlans,
	SUPERVISOR,
	WORK,
	workItem,
	type WorkState,
} from '../../../nodes/shared/durable/state.ts';
import type { Order } from '../../../nodes/shared/jobs/order.ts';
import type { ItemPlan } from '../../../nodes/shared/run/run.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { NODE, workState } from './caller.mts';

/** What can be recovered of an execution, by what n8n has stored of it and of those who work for it. */

const CALLER = { executionId: '1', workflowId: 'w', node: NODE, runIndex: 0, runId: 'mine' };
const handleOf = (caller: object) => ({
	version: PARKED_VERSION,
	runId: 'mine',
	worker: '4',
	supervisor: '2',
	work: { caller },
});
const HANDLE = handleOf(CALLER);
const MEMORY = { [RUN_HANDLE]: HANDLE };
const FOREVER = new Date('3000-01-01');

let clock: VirtualClock;
/** By number, as n8n has stored them. */
let executions: Record<string, object>;
let asked: string[];
let started: Array<{ node: string; json: IDataObject }>;
let onAsked: (id: string) => void;

interface Stored {
	/** What a node remembers. */
	memory?: IDataObject;
	/** What it was started with. */
	given?: IDataObject;
	node?: string;
	waitTill?: Date;
	error?: object;
	/** Rounds of it. */
	rounds?: number;
}

const stored = ({ memory = {}, given = {}, node = NODE, rounds = 0, waitTill, error }: Stored) => ({
	waitTill,
	resultData: { runData: { [NODE]: Array(rounds).fill({}) }, ...(error && { error }) },
	executionData: {
		contextData: { [`node:${node}`]: memory },
		nodeExecutionStack: [
			{ node: { name: NODE, type: 'kept', parameters: {} }, data: { main: [[{ json: given }]] } },
		],
	},
});

const waiting = (more: Stored = {}) => stored({ memory: MEMORY, waitTill: FOREVER, ...more });

const planOf = (itemIndex: number) => ({
	value: {
		itemIndex,
		operation: GENERATE_IMAGE,
		values: { prompt: `image ${itemIndex}` },
		request: { method: 'POST', path: '/', body: { prompt: `image ${itemIndex}` } },
		options: { timeout: 600, maxConcurrentJobs: 5 },
	} as unknown as ItemPlan,
});

const stateOf = (more: Partial<WorkState> = {}) =>
	workState({
		caller: CALLER,
		supervisor: '2',
		plans: storePlans([planOf(0), planOf(1), planOf(2)]),
		lastProgressAt: clock.now(),
		...more,
	});

const running = (id: string) =>
	({ state: 'running', job: { id, creation: {}, startedAt: 0 } }) as unknown as Order;

const worker = (
	state: Partial<WorkState> = {},
	entries: Record<string, Order> = {},
	more: Stored = {},
) => stored({ memory: workItem({ state: stateOf(state), entries }), ...more });

const supervisor = (state: object = {}, more: Stored = {}) =>
	stored({ memory: { [SUPERVISOR]: { caller: CALLER, ...state } as IDataObject }, ...more });

const context = {
	getWorkflow: () => ({ id: 'w' }),
	getNode: () => ({ name: 'Asking', type: 'asking', parameters: {} }),
	getExecutionDataById: async (id: string) => {
		asked.push(id);
		onAsked(id);
		return executions[id];
	},
	executeWorkflow: async (
		{ code }: { code: { nodes: Array<{ id: string; type: string }> } },
		[item]: INodeExecutionData[],
	) => {
		const node = code.nodes.find(({ id }) => id === 'work')?.type ?? '';
		started.push({ node, json: item?.json ?? {} });
		return { executionId: '9' };
	},
} as unknown as IExecuteFunctions;

beforeEach(() => {
	clock = new VirtualClock();
	executions = {};
	asked = [];
	started = [];
	onAsked = () => {};
});

describe('those who work for a run', () => {
	const idsFrom = async () => (await helpersOf(context, MEMORY)).map(({ id }) => id);

	it('are found from the run handle on, each once, oldest first', async () => {
		executions = {
			10: worker({ supervisor: '6', resuming: '12' }),
			12: stored({}),
			2: supervisor({ worker: '10', standby: '5' }),
			4: worker(),
			5: supervisor({ isStandby: true, worker: '4' }),
			6: supervisor({ worker: '10' }),
		};
		expect(await idsFrom()).toEqual(['2', '4', '5', '6', '10', '12']);
		expect(asked).toHaveLength(6);
	});

	it('are those that n8n still has, or of whose work there is a copy', async () => {
		executions = { 2: supervisor({ worker: '7', standby: '5' }), 7: worker() };
		expect(await idsFrom()).toEqual(['2', '4', '7']);
	});

	it('are read, whatever another version has copied', async () => {
		const work = { state: { version: PARKED_VERSION + 1 }, entries: { a: running('a') } };
		executions = { 2: supervisor({ worker: '7', copy: { worker: '7', work } }) };
		expect(workOf({ helpers: await helpersOf(context, MEMORY), isWaiting: true })).toEqual(work);
	});

	it('are 200 at most', async () => {
		executions = Object.fromEntries(
			Array.from({ length: 300 }, (_, id) => [id, worker({ supervisor: String(id + 1) })]),
		);
		expect(await idsFrom()).toHaveLength(200);
	});

	it('are named by texts only', async () => {
		executions = { 4: worker({ supervisor: 7 as never, resuming: null as never }), 7: worker() };
		expect(await idsFrom()).toEqual(['4']);
	});

	it('have the latest state, and the jobs of all', () => {
		const helpers = [
			{ work: { state: stateOf({ parameters: 'old' }), entries: { a: running('a') } } },
			{},
			{ work: { state: stateOf({ parameters: 'new' }), entries: { b: running('b') } } },
		];
		const work = workOf({ helpers } as never);
		expect(work?.state.parameters).toBe('new');
		expect(Object.keys(work?.entries ?? {})).toEqual(['a', 'b']);
		expect(workOf({ helpers: [], isWaiting: true })).toBeUndefined();
	});

	const DOUBT: Order = { state: 'inDoubt', unknownOutcome: 'n8n ended' };
	const ANEW: Order = { ...DOUBT, replaced: [{ job: 'a' }] };

	it.each<[string, Order, Order, Order]>([
		['the later word', DOUBT, running('a'), running('a')],
		['the job of the later one', running('a'), running('b'), running('b')],
		['a job, whatever a later worker doubts', running('a'), DOUBT, running('a')],
		['a doubt about what a person has ordered in place of the job', running('a'), ANEW, ANEW],
	])('of the same order %s', (_, earlier, later, expected) => {
		const helpers = [earlier, later].map((order) => ({
			work: { state: stateOf(), entries: { '0:0': order } },
		}));
		expect(workOf({ helpers } as never)?.entries).toEqual({ '0:0': expected });
	});
});

describe('an execution', () => {
	const refusal = async (id = '1') => {
		const error = await durableRunsOf(context, id).catch((one: unknown) => one);
		expect(error).toBeInstanceOf(NotRecoverable);
		return (error as Error).message;
	};
	const found = async () =>
		(await durableRunsOf(context, '1')).map(({ caller, isWaiting }) => [caller.node, isWaiting]);

	it('that n8n does not have', async () => {
		expect(await refusal()).toBe('n8n has no such execution');
	});

	it.each([
		['remembers that', { memory: { [SUPERVISOR]: { caller: CALLER } } }],
		['has just been started with it', { given: { [WORK]: { caller: CALLER } } }],
	])('that works for another, and %s', async (_, one) => {
		executions[4] = stored(one as object);
		expect(await refusal('4')).toBe('4 works for execution 1; enter 1');
	});

	it('that works for one of another workflow is none of ours', async () => {
		const caller = { ...CALLER, workflowId: 'other' };
		executions[4] = stored({ memory: { [WORK]: { caller } } });
		expect(await refusal('4')).toContain('it has not waited durably');
	});

	it('that waits', async () => {
		executions = { 1: waiting(), 4: worker() };
		expect(await found()).toEqual([[NODE, true]]);
	});

	it('that waits no more', async () => {
		executions = { 1: waiting({ waitTill: undefined }), 4: worker() };
		expect(await found()).toEqual([[NODE, false]]);
	});

	it('that was stopped while it waited', async () => {
		executions = { 1: waiting({ error: { reason: 'manual' } }), 4: worker() };
		expect(await found()).toEqual([[NODE, false]]);
	});

	it('of two runs, the one that it waits for', async () => {
		const data = waiting();
		const caller = { ...CALLER, node: 'Other', runId: 'other' };
		const other = { ...handleOf(caller), runId: 'other', worker: '14', supervisor: '12' };
		Object.assign(data.executionData.contextData, { 'node:Other': { [RUN_HANDLE]: other } });
		executions = {
			1: data,
			4: worker(),
			14: stored({ node: 'Other', memory: { [WORK]: { caller } } }),
		};
		expect(await found()).toEqual([[NODE, true]]);
		data.waitTill = undefined;
		expect(await found()).toEqual([
			[NODE, false],
			['Other', false],
		]);
	});

	it('that has the memory of another, which it retries', async () => {
		const memory = { [RUN_HANDLE]: handleOf({ ...CALLER, executionId: '7' }) };
		executions = { 1: waiting({ memory }), 4: worker() };
		expect(await refusal()).toContain('it has not waited durably');
	});

	it('of whose helpers n8n has none any more', async () => {
		executions = { 1: waiting() };
		expect(await refusal()).toContain('n8n may also have deleted what it had stored');
	});

	it('of another workflow', async () => {
		const memory = { [RUN_HANDLE]: handleOf({ ...CALLER, workflowId: 'other' }) };
		executions = { 1: waiting({ memory }), 4: worker() };
		expect(await refusal()).toBe('it is of another workflow; put this node into that workflow');
	});

	it.each([
		['that was stopped', { reason: 'manual' }, 'it was stopped, and this workflow knows none'],
		['that has failed', { message: 'No' }, 'it has not waited durably'],
	])('%s, and has no durable run', async (_, error, message) => {
		executions = { 1: stored({ error }) };
		expect(await refusal()).toContain(message);
	});
});

const runOf = async (): Promise<DurableRun> => ({
	caller: CALLER,
	isWaiting: true,
	helpers: await helpersOf(context, MEMORY),
});

describe('its jobs', () => {
	const jobs = async () =>
		paidJobsOf(await runOf()).map(({ jobId, itemIndex, status }) => [jobId, itemIndex, status]);

	it('are those of its items, in their order, and what is in doubt', async () => {
		const intents = { at: 1, items: [0, 1] };
		const entries = { '0:2': running('c'), '0:1': running('b') };
		executions = { 4: worker({ intents }, entries) };
		expect(await jobs()).toEqual([
			[null, 0, null],
			['b', 1, null],
			['c', 2, null],
		]);
	});

	it('have the state that was last read', async () => {
		const value = { snapshot: { record: { status: 'completed' } } };
		const results = { 0: { value } as unknown as SerializedResult };
		executions = { 2: supervisor(), 4: worker({ results }, { '0:0': running('a') }) };
		expect(await jobs()).toEqual([['a', 0, 'completed']]);
	});

	it('are told of as ordered, where a person has asked for something else that was not sent', async () => {
		const path = '/vidA31/api/status/b/';
		const status = { path, urlFields: {} };
		const job = { id: 'b', creation: {}, startedAt: 0, status };
		const before = { executionId: '0', request: 'other', parameters: 'other' };
		executions = {
			4: worker({ isRetry: true }, { '0:1': { state: 'running', job, ...before } }),
		};
		const row = paidJobsOf(await runOf()).find(({ jobId }) => jobId === 'b');
		expect(row).toMatchObject({ itemIndex: 1, details: { startedWith: 'vidA31' } });
		expect(row).not.toHaveProperty('prompt');
	});

	it('are those of the ledger alone where another version has parked it', async () => {
		const intents = { at: 1, items: [0] };
		executions = {
			4: worker({ version: PARKED_VERSION + 1, intents }, { '0:2': running('c') }),
		};
		expect(await jobs()).toEqual([['c', undefined, null]]);
	});

	it('are none where n8n has nothing any more', async () => {
		expect(await jobs()).toEqual([]);
	});
});
