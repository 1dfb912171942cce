import type { IDataObject } from 'n8n-workflow';

import { flat } from '../../support/flat.mts';
import { storedExecutions } from '../../support/storedExecutions.mts';
import { images } from '../../support/virtualImages.mts';
import { type Execution, VirtualN8n } from '../../support/virtualRun.mts';
import { warmUp } from '../../support/warmUp.mts';

/** Job > Get Paid Jobs Back: what an execution has paid for is waited for, in one node. */

const PROMPTS = ['a fox', 'a whale', 'a frog'];

type Fault = Parameters<VirtualN8n['state']['faults']['add']>[0];

const IN_DOUBT: Fault = {
	match: { kind: 'create', bodyPattern: 'a whale' },
	fault: { kind: 'status', status: 500 },
	when: 'after',
	times: 1,
};

function open(faults: Fault[]) {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 60_000, max: 60_000 } } });
	for (const fault of faults) n8n.state.faults.add(fault);
	const { store, engine } = storedExecutions();
	const recover = async (executionId: string, more: IDataObject = {}, workflow = 'workflow') => {
		const asked = n8n.state.journal.entries.length;
		const execution = await n8n.run({
			items: [{}],
			parameters: { resource: 'job', operation: 'recover', executionId, ...more },
			engine: { ...engine, getWorkflow: () => ({ id: workflow, active: false }) },
		});
		return {
			...execution,
			sent: n8n.state.journal.entries.slice(asked),
			rows: execution.items.map(({ json }) => json),
			told: execution.hints.map(({ message }) => message),
		};
	};
	const jobOf = (prompt: string) => n8n.state.jobs.list.find(({ body }) => body.prompt === prompt)!;
	return { n8n, store, engine, recover, jobOf };
}

/** n8n has stored an execution that failed: of three images, of which one is in doubt. */
async function failedBatch(faults: Fault[] = [IN_DOUBT]) {
	const opened = open(faults);
	const { n8n, store } = opened;
	await warmUp(n8n);
	const ran = await n8n.run(images(PROMPTS, { engine: ownWorkflow }, { options: { timeout: 20 } }));
	expect(ran.error).toBeDefined();
	store(ran);
	return { ...opened, ran };
}

const ownWorkflow = { getWorkflow: () => ({ id: 'workflow', active: false }) };

test('in the order of the rows, each at its end, with prompt and row; nothing is created', async () => {
	const { n8n, ran, recover } = await failedBatch();
	const { rows, error, sent, outputs, told } = await recover(ran.id);
	expect(error).toBeUndefined();
	expect(told).toEqual([
		expect.stringContaining(
			`Execution ${ran.id}: 2 jobs paid and here, 1 without a result (row 2).`,
		),
	]);
	expect(rows).toMatchObject([
		{ status: 'completed', mediaUrl: expect.any(String), itemIndex: 0, prompt: 'a fox' },
		{ jobId: null, unknownOutcome: expect.any(String), itemIndex: 1, prompt: 'a whale' },
		{ status: 'completed', mediaUrl: expect.any(String), itemIndex: 2, prompt: 'a frog' },
	]);
	expect(rows[0]).not.toHaveProperty('retry');
	expect(flat(rows[0]!)).toMatchObject({ executionId: ran.id, node: 'MediaGen' });
	expect(outputs[0]?.map(({ pairedItem }) => pairedItem)).toEqual(Array(3).fill({ item: 0 }));
	expect(sent.every(({ method }) => method === 'GET')).toBe(true);
	expect(n8n.state.account.charges).toHaveLength(3);
});

test('a job that failed is a row that says why, and keeps no other from being read', async () => {
	const { ran, recover, jobOf } = await failedBatch();
	const failed = jobOf('a fox');
	failed.outcome = 'failed';
	const { rows, told, error } = await recover(ran.id);
	expect(error).toBeUndefined();
	expect(rows[0]).toMatchObject({
		...{ status: 'failed', errorMessage: expect.any(String), jobId: failed.id },
		...{ charged: 'yes', retry: 'paysAgain', itemIndex: 0, prompt: 'a fox' },
	});
	expect(rows[2]?.status).toBe('completed');
	expect(told[0]).toContain('1 job paid and here, 2 without a result (rows 1 and 2)');
});

test('a job that cannot be read is a row as it was known, and says why', async () => {
	const { n8n, ran, recover, jobOf } = await failedBatch();
	for (const kind of ['status', 'list'] as const)
		n8n.state.faults.add({ match: { kind }, fault: { kind: 'status', status: 401 } });
	const { rows, error } = await recover(ran.id);
	expect(error).toBeUndefined();
	expect(rows[0]).toMatchObject({
		jobId: jobOf('a fox').id,
		notWaited: expect.stringContaining('API key'),
	});
});

test('without waiting: the rows as they are known, and nothing is asked', async () => {
	const { ran, recover } = await failedBatch();
	const { rows, sent } = await recover(ran.id, { waitForCompletion: false });
	expect(rows.map(({ jobId, prompt }) => [jobId === null, prompt])).toEqual([
		[false, 'a fox'],
		[true, 'a whale'],
		[false, 'a frog'],
	]);
	expect(sent).toEqual([]);
});

test('without waiting, no word of its creation is the reason why a job has failed', async () => {
	const { n8n, store, recover } = open([]);
	const ran = await n8n.run(images(['a [fail]'], { engine: ownWorkflow }));
	store(ran);
	const { rows } = await recover(ran.id, { waitForCompletion: false });
	expect(rows[0]).toMatchObject({ status: 'failed', charged: 'yes' });
	expect(flat(rows[0]!)).not.toHaveProperty('errorMessage');
});

test('an execution that has ended well gives its jobs, too, but not to another workflow', async () => {
	const { n8n, ran, store, recover } = await failedBatch([]);
	await n8n.clock.run(n8n.clock.sleep(60_000));
	const retried: Execution = await n8n.rerun(ran);
	expect(retried.error).toBeUndefined();
	store(retried);
	const { rows } = await recover(retried.id);
	expect(rows).toMatchObject(PROMPTS.map((prompt) => ({ prompt, status: 'completed' })));
	const { error } = await recover(retried.id, {}, 'other');
	expect(error?.message).toContain('this workflow knows no paid jobs of it');
});

test.each([
	['', 'Execution ID is empty'],
	['99', 'is "99": n8n has no such execution'],
	['https://n8n/1', 'must be a number, such as 231, but is "https://n8n/1"'],
])('%j is the number of none: the error says so, and nothing of charges', async (id, words) => {
	const { error } = await open([]).recover(id);
	expect(error?.message).toContain(words);
	expect(error?.description).toContain('This operation only reads, and pays for nothing.');
});
