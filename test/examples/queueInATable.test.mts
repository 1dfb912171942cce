import { readExample } from '../../tools/lib/examples.mts';
import type { Execution } from '../../tools/lib/n8nClient.mts';
import { openDataTable } from '../support/dataTables.mts';
import { jobOf } from '../support/jobOf.mts';
import { mostAtOnce } from '../support/mostAtOnce.mts';
import { useExamples, type NodeChanges } from '../support/useExamples.mts';

/** The example that takes its videos from a table: each run is what n8n does once a minute. */

/** Milliseconds: no job ends before the test says so. */
const AN_HOUR = 3_600_000;

const { n8n, importExample, runExample } = useExamples({
	sandbox: { jobMs: { min: AN_HOUR, max: AN_HOUR } },
});

jest.setTimeout(120_000);

/** The prompts of the rows that runs have handed on, since their videos have ended. */
const handedOn: string[] = [];

beforeEach(() => {
	handedOn.length = 0;
	n8n.sandbox.account.credits.purchased = 10_000;
});

const take = ({ status, error, runData }: Execution) => {
	expect([status, error?.message]).toEqual(['success', undefined]);
	const items = (runData['Note how they ended'] ?? []).flatMap(({ data }) => data.main[0] ?? []);
	handedOn.push(...items.map(({ json }) => json.prompt));
};

const run = async (changes: NodeChanges = {}) =>
	take(await runExample('queueInATable.json', 'Every minute', changes));

const runTwiceAtOnce = async () => {
	const workflow = await importExample('queueInATable.json');
	const both = [1, 2].map(async () => await n8n.client.runManually(workflow, 'Every minute'));
	for (const id of await Promise.all(both)) take(await n8n.client.waitForExecution(id));
};

/** The table, which the first run makes, with these rows. */
const openQueue = async (...rows: object[]) => {
	await run();
	const queue = await openDataTable(n8n.client, 'MediaGen video queue');
	await queue.insert(...rows);
	return { rows: async () => (await queue.rows()).slice(-rows.length) };
};

type Queue = Awaited<ReturnType<typeof openQueue>>;

const statuses = async ({ rows }: Queue) => (await rows()).map(({ status }) => status);

const endAllJobs = () => {
	for (const job of n8n.sandbox.jobs) job.endsAt = Math.min(job.endsAt, n8n.clock.now());
};

/** Runs so often that each row has had its turn; the videos of a run have ended by the next one. */
const workOff = async (queue: Queue) => {
	while ((await statuses(queue)).includes(null) || n8n.sandbox.jobs.some(isRunning)) {
		await run();
		endAllJobs();
	}
	await run();
};

const isRunning = ({ endsAt }: { endsAt: number }) => endsAt > n8n.clock.now();

const orders = () => n8n.sandbox.jobs.map(({ body }) => body.prompt).sort();

const withPrompts = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ prompt: `A kite over dune ${index}` }));

/** What is left of a row whose video was being ordered when n8n was killed. */
const LOST = { prompt: 'A kite that got lost', status: 'begun' };

const completed = ({ prompt }: { prompt: string }) => {
	const jobId = jobOf(n8n.sandbox, prompt)?.id;
	const mediaUrl = `${n8n.sandbox.url}/media/${jobId}.mp4`;
	return { prompt, status: 'completed', jobId, mediaUrl, problem: null };
};

test('five at a time, and each row gets its video, or the reason why it has none', async () => {
	const [fails, refused] = [{ prompt: 'A fox [fail]' }, { prompt: 'A fox, refused' }];
	n8n.sandbox.faults.add({
		match: { kind: 'create', bodyPattern: 'refused' },
		fault: { kind: 'status', status: 400 },
	});
	const kites = withPrompts(5);
	const queue = await openQueue(LOST, fails, refused, ...kites);

	await run();
	expect(n8n.sandbox.jobs).toHaveLength(3);
	// A job whose status cannot be read may go on.
	n8n.sandbox.faults.add({ match: { kind: 'status' }, fault: { kind: 'status', status: 403 } });
	await run();
	n8n.sandbox.faults.clear();
	expect(await statuses(queue)).toEqual([
		...['begun', 'begun', 'failed'],
		...['begun', 'begun', 'begun', null, null],
	]);
	await workOff(queue);
	expect(mostAtOnce(n8n.sandbox)).toBeLessThanOrEqual(5);
	expect(orders()).toEqual([...kites, fails].map(({ prompt }) => prompt).sort());
	expect(n8n.sandbox.account.charges).toHaveLength(6);
	expect(handedOn.sort()).toEqual(orders());
	const [lost, ...others] = await queue.rows();
	expect(others).toMatchObject([
		{
			status: 'failed',
			jobId: jobOf(n8n.sandbox, fails.prompt)?.id,
			problem: 'The sandbox was asked to fail this generation.',
		},
		{ status: 'failed', jobId: null, problem: expect.stringContaining('malformed') },
		...kites.map(completed),
	]);
	expect(lost).toMatchObject({ ...LOST, jobId: null });

	const name = 'Put lost rows in doubt';
	const { nodes } = readExample('queueInATable').workflow;
	const parameters = JSON.stringify(nodes.find((node) => node.name === name)?.parameters);
	await run({ [name]: { parameters: JSON.parse(parameters.replace('hours: 1', 'hours: -1')) } });
	expect((await statuses(queue))[0]).toBe('in doubt');
	expect(n8n.sandbox.jobs).toHaveLength(6);
});

test('what was not charged is tried again, and what may have been is not', async () => {
	n8n.sandbox.faults.add({
		match: { kind: 'create', bodyPattern: 'poor' },
		fault: { kind: 'status', status: 402 },
		times: 1,
	});
	n8n.sandbox.faults.add({
		match: { kind: 'create', bodyPattern: 'unheard' },
		fault: { kind: 'reset' },
		when: 'after',
	});
	const [poor, unheard] = [{ prompt: 'A poor kite' }, { prompt: 'An unheard kite' }];
	const queue = await openQueue(poor, unheard);
	await run();
	const problem = expect.any(String);
	expect(await queue.rows()).toMatchObject([
		{ status: null, problem },
		{ status: 'in doubt', problem },
	]);
	await workOff(queue);
	expect(await queue.rows()).toMatchObject([
		completed(poor),
		{ status: 'in doubt', problem, jobId: null },
	]);
	expect(orders()).toEqual([poor.prompt, unheard.prompt]);
});

test('two runs at once order no row twice, five rows together, and hand on each once', async () => {
	const kites = withPrompts(12);
	const queue = await openQueue(...kites);
	await runTwiceAtOnce();
	expect(n8n.sandbox.jobs.filter(isRunning)).toHaveLength(5);
	endAllJobs();
	await runTwiceAtOnce();
	expect(n8n.sandbox.jobs.filter(isRunning)).toHaveLength(5);
	await workOff(queue);
	expect(orders()).toEqual(kites.map(({ prompt }) => prompt).sort());
	expect(handedOn.sort()).toEqual(orders());
	expect(await queue.rows()).toMatchObject(kites.map(completed));
});
