import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { PARKED_VERSION, RUN_HANDLE } from '../../../nodes/shared/durable/executions.ts';
import { publishResults, RESUME, resumeCaller } from '../../../nodes/shared/durable/results.ts';
import {
	type SerializedResult,
	storePlans,
	WORK,
	type WorkState,
} from '../../../nodes/shared/durable/state.ts';
import { LEDGER, ledgerOf } from '../../../nodes/shared/jobs/ledger.ts';
import type { Order } from '../../../nodes/shared/jobs/order.ts';
import type { ItemPlan } from '../../../nodes/shared/run/run.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { CALLER, NODE } from './caller.mts';

/** How the results of a durable run, or an error in place of them, come to the execution that waits. */

const FOREVER = new Date('3000-01-01');

let clock: VirtualClock;
let memory: IDataObject;
let parkedTill: number | undefined;
let input: INodeExecutionData[];
/** The execution that waits, as n8n has stored it. */
let caller: object | undefined;
let failsToRead: boolean;
let started: Array<{ name: string; items: INodeExecutionData[]; options: object }>;
/** What the execution that makes the items gives out. */
let output: () => unknown;

const context = {
	getNode: () => ({ name: NODE, type: 'n8n-nodes-mediagen.mediaGenImage', parameters: {} }),
	getContext: () => memory,
	getInputData: () => input,
	getExecutionDataById: async (id: string) => {
		if (failsToRead) throw new Error('SQLITE_BUSY: database is locked');
		return id === 'caller' ? caller : undefined;
	},
	putExecutionToWait: async (till: Date) => void (parkedTill = till.getTime()),
	executeWorkflow: async (
		{ code }: { code: { name: string } },
		items: INodeExecutionData[],
		_: unknown,
		options: object,
	) => {
		started.push({ name: code.name, items, options });
		return code.name.endsWith('output') ? output() : { executionId: '9' };
	},
} as unknown as IExecuteFunctions;

beforeEach(() => {
	clock = new VirtualClock();
	memory = {};
	input = [];
	caller = undefined;
	failsToRead = false;
	started = [];
	output = () => ({ data: [[]] });
});

const running = (id: string) =>
	({ state: 'running', job: { id, creation: {}, startedAt: 0 } }) as unknown as Order;
const DOUBT: Order = { state: 'inDoubt', unknownOutcome: 'The answer was lost' };

describe('published', () => {
	const planOf = (itemIndex: number) => ({
		value: {
			itemIndex,
			operation: GENERATE_IMAGE,
			values: {},
			request: { method: 'POST', path: '/', body: {} },
			options: {},
		} as unknown as ItemPlan,
	});

	async function publish(more: Partial<WorkState>, entries: Record<string, Order> = {}) {
		const state = {
			caller: CALLER,
			plans: storePlans([planOf(0), planOf(1), planOf(2)]),
			results: {},
			failedAs: 'items' as never,
			continueOnFail: false,
			...more,
		} as WorkState;
		memory = ledgerOf(entries);
		expect(await publishResults(context, state)).toBe('9');
		const [, { items: [first, ...items] = [] } = {}] = started;
		const resume = first?.json[RESUME] as object as {
			error?: { message: string; description: string };
		};
		expect(resume).toMatchObject({ version: PARKED_VERSION, caller: CALLER });
		return { items, error: resume.error };
	}

	it('are the items that an execution of their own has made', async () => {
		const made = [{ json: { jobId: 'a' }, binary: {} }];
		output = () => ({ data: [made] });
		const { items, error } = await publish({}, { '0:0': running('a') });
		expect({ items, error }).toEqual({ items: made, error: undefined });
		const parent = { executionId: 'caller', workflowId: 'w' };
		expect(started).toMatchObject([
			{
				name: `${NODE}: output`,
				items: [
					{ json: { [WORK]: { caller: CALLER }, [LEDGER]: { entries: { '0:0': running('a') } } } },
				],
				options: { parentExecution: { ...parent, shouldResume: false } },
			},
			{ name: `${NODE}: resume`, options: { parentExecution: { ...parent, shouldResume: true } } },
		]);
	});

	it('may be none', async () => {
		output = () => ({ data: [] });
		expect(await publish({})).toEqual({ items: [], error: undefined });
	});

	it.each([
		[
			'names the jobs that its message does not',
			'Job a failed',
			'Look.<br>More.',
			'Paid for: jobs b.',
		],
		['names all jobs where it named none', 'No', 'Look.<br>More.', 'Paid for: jobs a, b.'],
		['adds no job that its description names', 'Job a failed', 'Look.<br>b.', ''],
	])('in place of them is an error that %s', async (_, message, description, paid) => {
		output = () => {
			throw Object.assign(new Error(message), { description });
		};
		const { items, error } = await publish({}, { '0:0': running('a'), '0:1': running('b') });
		expect(items).toEqual([]);
		expect(error).toEqual({ message, description: [description, paid].filter(Boolean).join(' ') });
	});

	it.each<[string, Record<string, Order>, string]>([
		['one', { '0:0': DOUBT }, 'Of 1 item: The answer was lost.'],
		['two', { '0:0': DOUBT, '0:1': DOUBT }, 'Of 2 items: The answer was lost.'],
		['none', {}, ''],
	])('it tells of %s whose outcome is unknown', async (_, entries, description) => {
		output = () => {
			throw new Error('No');
		};
		const { error } = await publish({}, entries);
		expect(error).toEqual({ message: 'No', description });
	});

	it('under Continue it becomes an item for each, with its job, and what is known of it', async () => {
		output = () => {
			throw new Error('No');
		};
		const results = {
			1: { error: { message: 'Lost', description: 'Look', outcome: 'unknown' } },
		} as unknown as Record<number, SerializedResult>;
		const { items, error } = await publish(
			{ continueOnFail: true, results },
			{ '0:0': running('a'), '0:1': DOUBT },
		);
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		expect(items.map(({ json }) => json)).toMatchObject([
			{ jobId: 'a', charged: 'yes', error: expect.stringContaining('No') },
			{ charged: 'unknown', error: expect.stringContaining('Lost') },
			{ charged: 'no', error: expect.stringContaining('No') },
		]);
		expect(items[1]?.json).not.toHaveProperty('jobId');
	});
});

describe('handed over', () => {
	const HERE = {
		waitTill: FOREVER,
		resultData: { runData: {} },
		executionData: {
			contextData: { [`node:${NODE}`]: { [RUN_HANDLE]: { runId: 'mine' } } },
			nodeExecutionStack: [{ node: { name: NODE } }],
		},
	};
	const elsewhere = {
		...HERE,
		executionData: { ...HERE.executionData, nodeExecutionStack: [{ node: { name: 'Wait' } }] },
	};
	/** Any documented error will do. */
	const error = { message: 'n8n is too busy to start an execution', description: 'Why' };
	const ITEMS = [{ json: { jobId: 'a' } }, { json: { jobId: 7 } }, { json: {} }];

	/** The third round, the execution has parked in the second. */
	async function round(resume: object) {
		const first = { json: { [RESUME]: { version: PARKED_VERSION, caller: CALLER, ...resume } } };
		memory = { items: [first, ...ITEMS] as unknown as IDataObject[], hasParked: true };
		parkedTill = undefined;
		const [settled] = await Promise.allSettled([clock.run(resumeCaller(context, clock))]);
		return settled;
	}

	it('after it has parked once: n8n wakes a parent only for a child that has', async () => {
		input = ITEMS;
		await clock.run(resumeCaller(context, clock));
		expect(memory).toEqual({ items: ITEMS });
		expect(parkedTill).toBeUndefined();
		await clock.run(resumeCaller(context, clock));
		expect(parkedTill).toBe(clock.now());
		expect(memory.hasParked).toBe(true);
	});

	it.each([
		['to one that waits for them', HERE],
		['to one that is gone, which nobody notices', undefined],
	])('%s', async (_, data) => {
		caller = data;
		expect(await round({})).toEqual({ status: 'fulfilled', value: [ITEMS] });
	});

	it('not while it waits for something else, which that would end', async () => {
		caller = elsewhere;
		expect(await round({})).toMatchObject({ value: [[{ json: { mediaGenAgain: true } }]] });
		expect(parkedTill).toBe(clock.now() + 600_000);
	});

	it('not while n8n cannot read whether it waits, which would end it with that error', async () => {
		failsToRead = true;
		expect(await round({})).toMatchObject({ value: [[{ json: { mediaGenAgain: true } }]] });
		expect(parkedTill).toBe(clock.now() + 600_000);
	});

	it('an error: the node fails with it', async () => {
		caller = HERE;
		expect(await round({ error })).toMatchObject({
			status: 'rejected',
			reason: { ...error, name: 'NodeOperationError' },
		});
	});

	it('what another version has parked: the error names the jobs of the items', async () => {
		caller = HERE;
		expect(await round({ version: PARKED_VERSION + 1 })).toMatchObject({
			status: 'rejected',
			reason: { message: expect.stringMatching(/go on with it\. Paid for: jobs a, 7\.$/) },
		});
	});

	it('an error of another version: as it is', async () => {
		caller = HERE;
		expect(await round({ version: PARKED_VERSION + 1, error })).toMatchObject({
			reason: error,
		});
	});
});
