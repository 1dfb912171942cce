import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { jobOf } from '../support/imageBatch.mts';
import { until } from '../support/until.mts';
import { useExamples } from '../support/useExamples.mts';

/**
 * Examples that keep data tables. n8n goes on with both once a minute: so the trigger's table fills with what the
 * night makes.
 */

const { n8n, importExample, runExample } = useExamples();

/** A data table of n8n, as its own page shows it. */
async function openDataTable(name: string) {
	const { client } = n8n;
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = await client.request('GET', `/rest/data-tables-global?filter=${filter}`);
	const [{ id, projectId }] = data;
	const address = `/rest/projects/${projectId}/data-tables/${id}`;
	return {
		/** Oldest first. */
		rows: async (): Promise<any[]> =>
			(await client.request('GET', `${address}/rows?sortBy=id:asc`)).data,
		insert: async (...rows: object[]) =>
			await client.request('POST', `${address}/insert`, { data: rows }),
	};
}

/** Milliseconds that a night may take. */
const PATIENCE = 150_000;

const REASON = 'The sandbox was asked to fail this generation.';
const [BALLOON, GLACIER, HARBOUR] = [
	'A balloon',
	'A glacier [fail]',
	'A harbour, refused',
] as const;

const picture = (prompt: string) =>
	`${n8n.sandbox.url}/media/${jobOf(n8n.sandbox, prompt)?.id}.png`;

test('overnightBatch fills its table, and resultsInATable notes the jobs that have ended', async () => {
	const results = await importExample('resultsInATable.json');
	await n8n.client.activate(results);

	// The first night makes the table.
	await runExample('overnightBatch.json', 'Every night');
	const table = await openDataTable('MediaGen overnight batch');
	await table.insert({ prompt: BALLOON }, { prompt: GLACIER }, { prompt: HARBOUR });
	n8n.sandbox.faults.add({
		match: { kind: 'create', bodyPattern: 'refused' },
		fault: { kind: 'status', status: 402 },
		times: 1,
	});
	const workflow = await importExample('overnightBatch.json');
	const id = await n8n.client.runManually(workflow, 'Every night');
	await n8n.client.waitForExecution(id, { until: ['waiting'], timeout: PATIENCE });

	// Who starts it again meanwhile finds nothing to do.
	const idle = await runExample('overnightBatch.json', 'Every night');
	expect(outputsOf(idle, 'Prompts to do')).toEqual([[]]);

	const night = await n8n.client.waitForExecution(id, { timeout: PATIENCE });
	expect([night.status, night.error?.message]).toEqual(['success', undefined]);
	const balloon = {
		...{ prompt: BALLOON, status: 'completed', imageUrl: picture(BALLOON), problem: null },
		...{ credits: 8, jobId: jobOf(n8n.sandbox, BALLOON)?.id },
	};
	const glacier = {
		...{ prompt: GLACIER, status: 'failed', imageUrl: null, problem: expect.any(String) },
		...{ credits: 8, jobId: jobOf(n8n.sandbox, GLACIER)?.id },
	};
	const harbour = { prompt: HARBOUR, status: '', problem: expect.any(String), jobId: null };
	expect(await table.rows()).toMatchObject([balloon, glacier, harbour]);

	// Another night; in process, it is a matter of seconds.
	const next = async (maxCredits: number) =>
		await runExample('overnightBatch.json', 'Every night', {
			'Make the images': { parameters: { options: { maxCredits } } },
		});
	await next(7);
	const over = { ...harbour, problem: expect.stringContaining('Max Credits per Run') };
	expect(await table.rows()).toMatchObject([balloon, glacier, over]);
	await next(8);
	expect((await table.rows()).map(({ status }) => status)).toEqual([
		...['completed', 'failed', 'completed'],
	]);
	expect(n8n.sandbox.jobs).toHaveLength(3);

	const noted = async () => await (await openDataTable('MediaGen results')).rows();
	// The table comes with the first poll that finds something.
	const areNoted = async () => (await noted().catch(() => [])).length === 3;
	await until('three results', areNoted, { everyMs: 500 });
	await n8n.client.deactivate(results);
	const row = (prompt: string, result: object) => ({
		...{ jobId: jobOf(n8n.sandbox, prompt)?.id, prompt, mediaType: 'image', problem: null },
		...result,
	});
	const byPrompt = (one: any, other: any) => one.prompt.localeCompare(other.prompt);
	expect((await noted()).sort(byPrompt)).toMatchObject([
		row(BALLOON, { status: 'completed', mediaUrl: picture(BALLOON) }),
		row(GLACIER, { status: 'failed', mediaUrl: null, problem: REASON }),
		row(HARBOUR, { status: 'completed', mediaUrl: picture(HARBOUR) }),
	]);
}, 300_000);
