import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { PARKED_VERSION, RUN_HANDLE } from '../../../nodes/shared/durable/executions.ts';
import { startDurable } from '../../../nodes/shared/durable/startDurable.ts';
import { SUPERVISOR, WORK } from '../../../nodes/shared/durable/state.ts';
import { LEDGER } from '../../../nodes/shared/jobs/ledger.ts';
import type { ItemPlan, Plans, Run } from '../../../nodes/shared/run/run.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** Which runs are handed over to a durable run, and in which steps. */

interface Item {
	kind?: string;
	waitMode?: string;
	/** What *Wait for Completion* is. */
	isWaitedFor?: unknown;
}

const asked: Array<[string, unknown]> = [];

const planOf = ({ kind = 'create', waitMode = 'durable', isWaitedFor = true }: Item) => ({
	value: {
		operation: { ...GENERATE_IMAGE, kind },
		options: { waitMode },
		values: { prompt: 'a cat' },
		request: {},
		read: (name: string, fallback: unknown) => {
			asked.push([name, fallback]);
			return isWaitedFor;
		},
	} as unknown as ItemPlan,
});

const ITEM = { executionId: '1', workflowId: 'w', node: 'Images' };

/**
 * Hands a run over.
 *
 * @param supervisorParksIn ms until n8n has stored that the supervisor is parked
 */
async function handOver(plans: Plans, { supervisorParksIn = 0 } = {}) {
	const clock = new VirtualClock();
	const due = clock.now() + supervisorParksIn;
	const memory: IDataObject = { [LEDGER]: { entries: { 0: 'order' } } };
	const steps: string[] = [];
	const started: Record<string, IDataObject> = {};
	const hints: string[] = [];
	const context = {
		getNode: () => ({ name: 'Images', type: 'n8n-nodes-mediagen.mediaGenImage', parameters: {} }),
		getWorkflow: () => ({ id: 'w', name: 'Batch', active: true }),
		getExecutionId: () => '1',
		getMode: () => 'trigger',
		getParentNodes: () => [],
		getContext: (kind: string) => (kind === 'node' ? memory : {}),
		continueOnFail: () => true,
		onExecutionFinish: () => {},
		addExecutionHints: ({ message }: { message: string }) => hints.push(message),
		executeWorkflow: async ({ code }: { code: { name: string } }, [item]: INodeExecutionData[]) => {
			steps.push(code.name);
			started[code.name] = item?.json ?? {};
			return { executionId: String(steps.length + 1) };
		},
		getExecutionDataById: async (id: string) =>
			id === '3' && clock.now() >= due ? { waitTill: new Date('3000-01-01') } : undefined,
		putExecutionToWait: async () => void steps.push('parked'),
	} as unknown as IExecuteFunctions;
	const run = {
		context,
		clock,
		executionId: '1',
		isRetry: true,
		parameters: 'typed',
		ledger: { runIndex: 4 },
		account: {},
		service: { account: 'account' },
		said: new Set(),
	} as unknown as Run;
	const isHandedOver = await clock.run(startDurable(run, plans));
	return { isHandedOver, steps, started, hints, memory, waitedMs: clock.elapsed() };
}

beforeEach(() => {
	asked.length = 0;
});

const STEPS = ['Images: probe', 'Images: supervise', 'Images: work', 'parked'];

test('a probe, the supervisor and the worker are started, then the execution parks', async () => {
	const { isHandedOver, steps, started, hints, memory } = await handOver([planOf({})]);
	expect({ isHandedOver, steps, hints }).toEqual({ isHandedOver: true, steps: STEPS, hints: [] });
	const handle = { version: PARKED_VERSION, worker: '4', supervisor: '3' };
	expect(memory[RUN_HANDLE]).toMatchObject(handle);
	const { runId } = memory[RUN_HANDLE] as IDataObject;
	expect(runId).toEqual(expect.stringMatching(/./));
	const again = await handOver([planOf({})]);
	expect((again.memory[RUN_HANDLE] as IDataObject).runId).not.toBe(runId);
	const caller = { ...ITEM, runIndex: 4, runId };
	expect(started['Images: work']).toMatchObject({
		[WORK]: {
			version: PARKED_VERSION,
			caller,
			supervisor: '3',
			continueOnFail: true,
			isRetry: true,
			parameters: 'typed',
			intents: { at: 0, items: [] },
			results: {},
		},
		[LEDGER]: { entries: { 0: 'order' } },
	});
	expect(started['Images: supervise']).toMatchObject({ [SUPERVISOR]: { caller } });
});

test.each<[string, Item[], boolean]>([
	['an item', [{}], true],
	['one among others', [{ waitMode: 'process' }, {}], true],
	['none of them', [{ waitMode: 'process' }], false],
	['one that is not waited for', [{ isWaitedFor: false }], false],
	['one whose Wait for Completion came out empty', [{ isWaitedFor: '' }], false],
	['one that creates nothing', [{ kind: 'status' }], false],
	['no item', [], false],
])('handed over only where an item waits durably: %s', async (_, items, expected) => {
	const { isHandedOver, steps, hints } = await handOver(items.map(planOf));
	expect(isHandedOver).toBe(expected);
	expect(steps).toEqual(expected ? STEPS : []);
	expect(hints).toEqual([]);
	expect(asked.every(([name, fallback]) => name === 'waitForCompletion' && fallback === true)).toBe(
		true,
	);
});

test('not for an item whose plan could not be made', async () => {
	const { isHandedOver } = await handOver([{ error: new Error('Prompt is required') }]);
	expect(isHandedOver).toBe(false);
});

test('n8n has a minute to store that the supervisor is parked; else the run waits in process', async () => {
	const inTime = await handOver([planOf({})], { supervisorParksIn: 59_000 });
	expect(inTime.isHandedOver).toBe(true);
	expect(inTime.waitedMs).toBeGreaterThanOrEqual(59_000);
	const late = await handOver([planOf({})], { supervisorParksIn: 70_000 });
	expect(late.isHandedOver).toBe(false);
	expect(late.steps).toEqual(STEPS.slice(0, 2));
	expect(late.hints).toEqual([
		'Waited in process, not durably: n8n is too busy to start an execution.',
	]);
	expect(late.memory[RUN_HANDLE]).toBeUndefined();
});
