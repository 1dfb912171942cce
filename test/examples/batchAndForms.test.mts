import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { openDataTable } from '../support/dataTables.mts';
import { submitForm } from '../support/formPages.mts';
import { jobOf } from '../support/jobOf.mts';
import { useExamples } from '../support/useExamples.mts';

/** Examples that begin by themselves, and those with a person in front of a form. */

const { n8n, importExample, runExample } = useExamples({
	sandbox: { jobMs: { min: 0, max: 0 } },
});

jest.setTimeout(150_000);

const picture = (prompt: string) =>
	`${n8n.sandbox.url}/media/${jobOf(n8n.sandbox, prompt)?.id}.png`;

test('scheduledBatch: open rows become pictures, and have the reason where they do not', async () => {
	const run = async (...of: [trigger: string, options?: object]) => {
		const [trigger, options] = of;
		const changes = options && { 'Make the images': { parameters: { options } } };
		const execution = await runExample('scheduledBatch.json', trigger, changes);
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		return execution;
	};

	await run('Start');
	const table = await openDataTable(n8n.client, 'MediaGen pictures to make');
	const first = await table.rows();
	expect(first).toHaveLength(3);
	expect(first.map(({ status, credits, problem }) => [status, credits, problem])).toEqual(
		Array(3).fill(['completed', 8, null]),
	);
	expect(first.map(({ imageUrl }) => imageUrl)).toEqual(first.map(({ prompt }) => picture(prompt)));

	await run('Start');
	expect(await table.rows()).toEqual(first);

	await table.insert(
		{ prompt: 'A kite over the dunes', size: '1:1', status: 'open' },
		{ prompt: 'A fox [fail]', size: '1:1', status: 'open' },
		{ prompt: 'A fox in the snow', size: '5:4', status: 'open' },
	);
	const added = async () => (await table.rows()).slice(3);
	await run('Every morning', { maxCredits: 10 });
	expect(n8n.sandbox.jobs).toHaveLength(3);
	expect((await added()).map(({ status, problem }) => [status, problem])).toEqual([
		['open', expect.stringContaining('10')],
		['open', expect.stringContaining('10')],
		['invalid', expect.stringContaining('size')],
	]);

	await run('Every morning');
	expect(await added()).toEqual([
		expect.objectContaining({
			status: 'completed',
			imageUrl: picture('A kite over the dunes'),
			credits: 8,
			problem: null,
		}),
		expect.objectContaining({
			status: 'failed',
			imageUrl: null,
			jobId: jobOf(n8n.sandbox, 'A fox [fail]')?.id,
			problem: expect.stringContaining('The sandbox was asked to fail this generation.'),
		}),
		expect.objectContaining({ status: 'invalid', imageUrl: null }),
	]);

	const last = await run('Every morning');
	expect(outputsOf(last, 'Open rows')[0] ?? []).toEqual([]);
	expect(n8n.sandbox.jobs).toHaveLength(5);
});

describe('scheduledBatch: no row is ordered twice', () => {
	/** A table with the rows that the example begins with, and more. */
	const openTable = async (...prompts: string[]) => {
		await runExample('scheduledBatch.json', 'Start');
		const table = await openDataTable(n8n.client, 'MediaGen pictures to make');
		await table.insert(...prompts.map((prompt) => ({ prompt, size: '1:1', status: 'open' })));
		return table;
	};

	test('by two runs at once', async () => {
		const prompts = Array.from({ length: 12 }, (_, index) => `A kite over dune ${index}`);
		await openTable(...prompts);
		const before = n8n.sandbox.jobs.length;
		const workflow = await importExample('scheduledBatch.json');
		const ids = await Promise.all(
			[1, 2].map(async () => await n8n.client.runManually(workflow, 'Start')),
		);
		await Promise.all(ids.map(async (id) => await n8n.client.waitForExecution(id)));
		const ordered = n8n.sandbox.jobs.slice(before).map(({ body }) => body.prompt);
		expect(ordered.sort()).toEqual([...prompts].sort());
	});

	test('where nobody knows whether its job exists: it is in doubt', async () => {
		const prompt = 'A kite that gets lost';
		const table = await openTable(prompt);
		n8n.sandbox.faults.add({
			match: { kind: 'create', bodyPattern: 'gets lost' },
			fault: { kind: 'reset' },
			when: 'after',
		});
		await runExample('scheduledBatch.json', 'Every morning');
		await runExample('scheduledBatch.json', 'Every morning');
		const row = (await table.rows()).find((each) => each.prompt === prompt);
		expect(row).toMatchObject({ status: 'in doubt', jobId: null });
		expect(n8n.sandbox.jobs.filter(({ body }) => body.prompt === prompt)).toHaveLength(1);
	});
});

describe('formToPicture', () => {
	const askFor = async (prompt: string) => {
		const workflow = await importExample('formToPicture.json');
		const pages = await submitForm(n8n, workflow, 'Ask for a picture', [prompt, 'Portrait']);
		return { workflow, pages };
	};

	test('the last page shows the picture', async () => {
		const { workflow, pages } = await askFor('A kite over the dunes');
		expect(await pages.waitFor('Here it is')).toContain(
			`<img src="${picture('A kite over the dunes')}"`,
		);
		await pages.submit([]);
		await n8n.client.waitForWorkflow(workflow, { until: ['success'] });
		expect(n8n.sandbox.jobs.map(({ body }) => body)).toEqual([
			{ prompt: 'A kite over the dunes', size: '2:3' },
		]);
	});

	test('or says why there is none', async () => {
		const { pages } = await askFor('A kite [fail]');
		expect(await pages.waitFor('There is no picture')).toContain(
			'The sandbox was asked to fail this generation.',
		);
	});
});

describe('variationsAndChoice', () => {
	const STYLES = [
		'soft watercolours',
		'photograph in morning light',
		'paper collage',
		'poster in bold colours',
	];

	const askFor = async (idea: string, styles = STYLES) => {
		const assignments = [
			{ id: 'styles', name: 'styles', type: 'array', value: JSON.stringify(styles) },
		];
		const workflow = await importExample('variationsAndChoice.json', {
			'Four styles': { parameters: { assignments: { assignments } } },
		});
		return await submitForm(n8n, workflow, 'Ask for an idea', [idea]);
	};

	test('the one that a person chooses becomes a video', async () => {
		const pages = await askFor('A kite');
		const page = await pages.waitFor('Which one?');
		for (const style of STYLES) {
			expect(page).toContain(`<img src="${picture(`A kite, ${style}`)}"`);
		}
		await pages.submit([undefined, JSON.stringify(['paper collage'])]);
		const last = await pages.waitFor('Your video');
		const video = n8n.sandbox.jobs.at(-1);
		expect(last).toContain(`<source src="${n8n.sandbox.url}/media/${video?.id}.mp4"`);
		expect(video?.body).toMatchObject({ imageUrls: [picture('A kite, paper collage')] });
	});

	test('a picture that could not be made is left out', async () => {
		const pages = await askFor('A kite', ['soft watercolours', 'paper collage [fail]']);
		const page = await pages.waitFor('Which one?');
		expect(page).toContain('soft watercolours');
		expect(page).not.toContain('paper collage');
	});

	test('no picture at all: the last page says why', async () => {
		const pages = await askFor('A kite [fail]');
		expect(await pages.waitFor('There is no picture')).toContain(
			'The sandbox was asked to fail this generation.',
		);
		expect(n8n.sandbox.jobs).toHaveLength(4);
	});
});
