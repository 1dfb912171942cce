import type { IDataObject, IExecuteFunctions, IRunExecutionData } from 'n8n-workflow';

import { type Execution, VirtualN8n } from '../../support/virtualRun.mts';
import { warmUp } from '../../support/warmUp.mts';
import type { ItemKind } from '../../support/product.mts';
import { flat } from '../../support/flat.mts';

/** Job > Get Paid Jobs Back: what an execution has paid for is waited for, in one node. */

const PROMPTS = ['a fox', 'a whale', 'a frog'];

const create = (itemIndex: number): IDataObject => ({
	resource: 'image',
	operation: 'generate',
	size: '1:1',
	prompt: PROMPTS[itemIndex],
});

type Fault = Parameters<VirtualN8n['state']['faults']['add']>[0];

/** An n8n that has stored an execution that failed: of three images, of which one is in doubt. */
async function failedBatch(faults: Fault[] = [IN_DOUBT]) {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 60_000, max: 60_000 } } });
	for (const fault of faults) n8n.state.faults.add(fault);
	await warmUp(n8n);
	const items = PROMPTS.map((prompt) => ({ prompt }));
	const ran = await n8n.clock.run(
		n8n.execute({
			items,
			parameters: (i) => ({ ...create(i), options: { timeout: 20 } }),
		}),
	);
	expect(ran.error).toBeDefined();
	return { n8n, ran };
}

const IN_DOUBT: Fault = {
	match: { kind: 'create', bodyPattern: 'a whale' },
	fault: { kind: 'status', status: 500 },
	when: 'after',
	times: 1,
};

/** What n8n has stored of it. */
function stored({ memory, id }: Execution) {
	const executionData = { contextData: { 'node:MediaGen': memory }, nodeExecutionStack: [] };
	const data = { executionData, resultData: { runData: {} } } as object as IRunExecutionData;
	return { getExecutionDataById: async (asked: string) => (asked === id ? data : undefined) };
}

async function recover(
	n8n: VirtualN8n,
	ran: Execution,
	parameters: IDataObject = {},
	engine: Partial<IExecuteFunctions> = stored(ran),
	kind: ItemKind = 'image',
) {
	const asked = n8n.state.journal.entries.length;
	const recovered = await n8n.clock.run(
		n8n.execute({
			items: [{}],
			parameters: { resource: 'job', operation: 'recover', executionId: ran.id, ...parameters },
			engine,
			kind,
		}),
	);
	const sent = n8n.state.journal.entries.slice(asked);
	const items = recovered.items.map(({ json }) => json);
	return { ...recovered, items, sent, hints: recovered.hints.map(({ message }) => message) };
}

test('in the order of the rows, each at its end, with prompt and row; nothing is created', async () => {
	const { n8n, ran } = await failedBatch();
	const { items, error, sent, outputs, hints } = await recover(n8n, ran);
	expect(error).toBeUndefined();
	expect(hints).toEqual([
		expect.stringContaining(
			`Execution ${ran.id}: 2 jobs paid and here, 1 without a result (row 2).`,
		),
	]);
	expect(items).toMatchObject([
		{ status: 'completed', mediaUrl: expect.any(String), itemIndex: 0, prompt: 'a fox' },
		{ jobId: null, unknownOutcome: expect.any(String), itemIndex: 1, prompt: 'a whale' },
		{ status: 'completed', mediaUrl: expect.any(String), itemIndex: 2, prompt: 'a frog' },
	]);
	expect(items[0]).not.toHaveProperty('retry');
	expect(flat(items[0]!)).toMatchObject({ executionId: ran.id, node: 'MediaGen' });
	expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(Array(3).fill({ item: 0 }));
	expect(sent.every(({ method }) => method === 'GET')).toBe(true);
	expect(n8n.state.account.charges).toHaveLength(3);
});

test('a job that failed is a row that says why, and keeps no other from being read', async () => {
	const { n8n, ran } = await failedBatch();
	const failed = n8n.state.jobs.list.find(({ body }) => body.prompt === 'a fox')!;
	failed.outcome = 'failed';
	const { items, hints, error } = await recover(n8n, ran);
	expect(error).toBeUndefined();
	expect(items[0]).toMatchObject({
		...{ status: 'failed', errorMessage: expect.any(String), jobId: failed.id },
		...{ charged: 'yes', retry: 'paysAgain', itemIndex: 0, prompt: 'a fox' },
	});
	expect(items[2]?.status).toBe('completed');
	expect(hints[0]).toContain('1 job paid and here, 2 without a result (rows 1 and 2)');
});

test('a job that cannot be read is a row as it was known, and says why', async () => {
	const { n8n, ran } = await failedBatch();
	n8n.state.faults.add({ match: { kind: 'status' }, fault: { kind: 'status', status: 401 } });
	n8n.state.faults.add({ match: { kind: 'list' }, fault: { kind: 'status', status: 401 } });
	const { items, error, hints } = await recover(n8n, ran);
	expect(error).toBeUndefined();
	const jobId = n8n.state.jobs.list.find(({ body }) => body.prompt === 'a fox')?.id;
	expect(items[0]).toMatchObject({ jobId, notWaited: expect.stringContaining('API key') });
	expect(hints[0]).toContain('3 without a result (rows 1, 2 and 3)');
});

test('without waiting: the rows as they are known, and nothing is asked', async () => {
	const { n8n, ran } = await failedBatch();
	const { items, sent, hints } = await recover(n8n, ran, { waitForCompletion: false });
	expect(items.map(({ jobId, prompt }) => [jobId === null, prompt])).toEqual([
		[false, 'a fox'],
		[true, 'a whale'],
		[false, 'a frog'],
	]);
	expect(sent).toEqual([]);
	expect(hints).toEqual([]);
});

test('another workflow gets nothing of an execution that failed', async () => {
	const { n8n, ran } = await failedBatch();
	const engine = { ...stored(ran), getWorkflow: () => ({ id: 'other', active: false }) };
	const { error } = await recover(n8n, ran, {}, engine);
	expect(error?.message).toContain('this workflow knows no paid jobs of it');
});

test('an execution that has ended well gives its jobs, too', async () => {
	const { n8n, ran } = await failedBatch([]);
	await n8n.clock.run(n8n.clock.sleep(60_000));
	const retried = await n8n.clock.run(n8n.retry(ran));
	expect(retried.error).toBeUndefined();
	const { items } = await recover(n8n, retried);
	expect(items).toMatchObject(PROMPTS.map((prompt) => ({ prompt, status: 'completed' })));
});
