import type { IDataObject } from 'n8n-workflow';

import { bare, ended, MINUTE_MS, watching, type ListShape } from './watching.mts';

const caught = async (work: Promise<unknown>) =>
	await work.then(
		() => undefined,
		(error: unknown) => error as Error,
	);

/** Values that only an expression can give, and those that a form has. */
const activated = async (evaluated: object) => {
	const trigger = watching({ evaluated: evaluated as IDataObject });
	trigger.list();
	return { ...trigger, error: await caught(trigger.activate()) };
};

/** Which of these jobs start the workflow: a completed and a failed image, and a completed video. */
const fired = async (evaluated: object) => {
	const { error, list, poll, ids } = await activated(evaluated);
	if (error) throw error;
	list(
		ended('image'),
		{ ...bare('failed'), status: 'failed', error_message: 'No' },
		{ ...ended('video'), generation_type: 'video', task_id: 'task' },
	);
	await poll(2);
	return ids().sort();
};

it.each<[string, object, string[]]>([
	[
		'Events as the form has them',
		{ events: ['completed', 'failed'] },
		['failed', 'image', 'video'],
	],
	['Events as a text', { events: 'failed' }, ['failed']],
	['Media Type', { mediaType: ' video ' }, ['video']],
	['one job', { options: { jobIds: 'image' } }, ['image']],
	[
		'two, of which one by another identifier',
		{ options: { jobIds: 'image\ntask; x' } },
		['image', 'video'],
	],
	['a list of jobs', { options: { jobIds: ['image', 17] } }, ['image']],
])('%s: %j', async (_, evaluated, expected) => {
	expect(await fired(evaluated)).toEqual(expected);
});

const EVENTS =
	'Events (events) must be completed (Generation Finished) or failed (Generation Failed), but ';
const MEDIA = 'Media Type (mediaType) must be all, image or video, but ';
const JOB_IDS =
	'Options > Only These Job IDs (jobIds) must have at least one job ID, but nothing is given; remove the option to watch all jobs';

it.each<[object, string]>([
	[{ events: [] }, `${EVENTS}nothing is given`],
	[{ events: ['completed', 'done'] }, `${EVENTS}is "done"`],
	[{ events: 'x'.repeat(10_000) }, `${EVENTS}is "${'x'.repeat(100)}…"`],
	[{ mediaType: 'Image' }, `${MEDIA}is "Image"`],
	[{ options: { jobIds: ' ' } }, JOB_IDS],
])('%j is refused, and the error says what may be given', async (evaluated, message) => {
	expect((await activated(evaluated)).error?.message).toBe(message);
});

test('Download File: a job that is completed comes with its file, one that has failed with none', async () => {
	const parameters = { events: ['completed', 'failed'], downloadMedia: true };
	const { activate, start, poll, workflow } = watching({ parameters });
	await activate();
	start();
	start(1, 1001, 'image generate', true);
	await poll(2);
	const names = workflow.items.map(({ json, binary }) => [json.status, binary?.data?.fileName]);
	expect(names).toEqual([
		['completed', expect.stringMatching(/\.png$/)],
		['failed', undefined],
	]);
});

describe('Fetch Test Event', () => {
	const account = (list: ListShape = {}, parameters = {}) => {
		const trigger = watching({ shapes: { list }, parameters });
		const fetchTestEvent = async () => {
			const items = await trigger.clock.run(trigger.workflow.fetchTestEvent());
			return items.map(({ json }) => json);
		};
		return { ...trigger, fetchTestEvent };
	};

	it.each<ListShape>([
		{},
		{ order: 'oldest' },
		{ order: 'shuffled' },
		{ entries: { urls: false } },
		{ body: 'dataResults', maxPage: 2 },
	])('gives the job that has ended last: %j', async (list) => {
		const { start, poll, fetchTestEvent } = account(list);
		const [jobId] = start(1, 50_000);
		start();
		start(1, 55_000, 'image generate', true);
		start(1, 10 * MINUTE_MS);
		await poll();
		const mediaUrl = expect.stringContaining('https://');
		expect(await fetchTestEvent()).toMatchObject([{ jobId, status: 'completed', mediaUrl }]);
	});

	it('gives what is wished for, or says so where there is none, and remembers nothing', async () => {
		const wishes = { mediaType: 'video', events: ['failed'] };
		const { start, poll, fetchTestEvent, workflow } = account({}, wishes);
		for (const made of ['image generate', 'standardVideo generate']) start(1, 2000, made);
		start(1, 3000, 'image generate', true);
		await poll();
		expect(await caught(fetchTestEvent())).toMatchObject({
			message: 'No job in the history fits yet',
			description: expect.stringContaining('Only These Job IDs'),
		});
		const [jobId] = start(1, 1000, 'standardVideo generate', true);
		await poll();
		expect(await fetchTestEvent()).toMatchObject([{ jobId, status: 'failed' }]);
		expect(workflow.stored).toBe('{}');
	});
});
