import { useEditor } from '../support/useEditor.mts';

/** MediaGen Trigger in its panel: the test event, and below its name on the canvas what it waits for. */

const { editor, n8n } = useEditor();

const NAME = 'MediaGen Trigger';

async function open(parameters: object = {}) {
	const { id, name } = n8n.credential;
	await editor.openNodes([
		{
			name: NAME,
			type: 'n8n-nodes-mediagen.mediaGenTrigger',
			typeVersion: 1,
			parameters,
			credentials: { mediaGenApi: { id, name } },
		},
	]);
	return await editor.openPanel(NAME);
}

/** A job of the account that nobody in n8n has started; gives its identifier. */
async function finishedJob(path: string, body: object) {
	const { sandbox } = n8n;
	sandbox.settings.jobMs = { min: 0, max: 0 };
	const answer = await fetch(`${sandbox.url}${path}`, {
		method: 'POST',
		headers: { Authorization: `Bearer ${sandbox.key}`, 'Content-Type': 'application/json' },
		body: JSON.stringify(body),
	});
	const { data } = (await answer.json()) as { data: { generation_id: string } };
	return data.generation_id;
}

const image = async (prompt: string) =>
	await finishedJob('/api/v1/generate/', { prompt, size: '1:1' });

const video = async (prompt: string) =>
	await finishedJob('/api/v1/generate/video/', {
		prompt,
		video_model: 'modelA_fast',
		aspect_ratio: '16:9',
	});

test('the form: when it looks, for what, and what comes of it', async () => {
	const panel = await open();
	expect(await panel.labels()).toEqual([
		'Credential',
		'Poll Times',
		'Mode',
		'Events',
		'Media Type',
		'Download File',
		'Options',
	]);
	expect(await panel.chosen('Events')).toEqual(['Generation Finished']);
	expect(await panel.choices('Media Type')).toEqual(['All', 'Image', 'Video']);
	expect(await panel.additions('Options')).toEqual([
		'Only These Job IDs',
		'Result Field',
		'Simplify',
	]);
	await panel.close();
});

test('Fetch Test Event: the job that has ended last', async () => {
	await video('Waves');
	const id = await image('A lighthouse at dusk');
	const panel = await open();
	expect(await editor.fetchTestEvent()).toEqual({
		items: [
			expect.objectContaining({
				jobId: id,
				status: 'completed',
				mediaType: 'image',
				mediaUrl: expect.stringMatching(/\.png$/),
				creditsUsed: 8,
				prompt: 'A lighthouse at dusk',
			}),
		],
	});
	await panel.close();
});

test('Fetch Test Event: what to do where there is none', async () => {
	await image('A lighthouse at dusk');
	const panel = await open({ mediaType: 'video' });
	expect(await editor.fetchTestEvent()).toEqual({
		error: {
			message: 'No job in the history fits yet',
			description: expect.stringContaining('fetch again'),
		},
	});
	await panel.close();
});

test('Fetch Test Event: expressions say what for', async () => {
	const id = await video('Waves');
	await image('A lighthouse at dusk');
	await video('Clouds');
	const panel = await open({
		events: '={{ ["comp" + "leted"] }}',
		mediaType: '={{ "vid" + "eo" }}',
		options: { jobIds: `={{ ["${id}", "another"].join(", ") }}` },
	});
	expect(await panel.value('Events')).toBe('{{ ["comp" + "leted"] }}');
	expect(await editor.fetchTestEvent()).toEqual({
		items: [expect.objectContaining({ jobId: id, mediaType: 'video', prompt: 'Waves' })],
	});
	await panel.close();
	expect(await editor.subtitle(NAME)).toBe('video: completed');
});

test('its fields can be switched to expressions', async () => {
	const panel = await open({ options: { jobIds: '' } });
	for (const label of ['Events', 'Media Type', 'Download File', 'Only These Job IDs']) {
		await panel.setExpression(label, '{{ $vars.watched }}');
		expect(await panel.value(label)).toBe('{{ $vars.watched }}');
	}
	await panel.close();
});

test.each([
	['as it starts', {}, 'all: completed'],
	[
		'videos, either way',
		{ events: ['failed', 'completed'], mediaType: 'video' },
		'video: failed,completed',
	],
])('on the canvas: %s', async (_, parameters, subtitle) => {
	const panel = await open(parameters);
	await panel.close();
	expect(await editor.subtitle(NAME)).toBe(subtitle);
});
