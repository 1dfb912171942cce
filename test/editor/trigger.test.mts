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

const VIDEO = { video_model: 'modelA_fast', aspect_ratio: '16:9' };

/** Starts a job outside of n8n, which is finished at once; gives its identifier. */
async function finishedJob(path: string, body: object): Promise<string> {
	const { sandbox } = n8n;
	sandbox.settings.jobMs = { min: 0, max: 0 };
	const answer = await fetch(`${sandbox.url}/api/v1/${path}`, {
		method: 'POST',
		headers: { Authorization: `Bearer ${sandbox.key}`, 'Content-Type': 'application/json' },
		body: JSON.stringify(body),
	});
	const { data } = (await answer.json()) as { data: { generation_id: string } };
	return data.generation_id;
}

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

test('Fetch Test Event: expressions say what for', async () => {
	const id = await finishedJob('generate/video/', { prompt: 'Waves', ...VIDEO });
	await finishedJob('generate/', { prompt: 'A lighthouse', size: '1:1' });
	await finishedJob('generate/video/', { prompt: 'Clouds', ...VIDEO });
	const panel = await open({
		events: '={{ ["comp" + "leted"] }}',
		mediaType: '={{ "vid" + "eo" }}',
		options: { jobIds: `={{ ["${id}", "another"].join(", ") }}` },
	});
	expect(await panel.value('Events')).toBe('{{ ["comp" + "leted"] }}');
	expect(await editor.fetchTestEvent()).toEqual({
		items: [
			expect.objectContaining({
				...{ jobId: id, status: 'completed', mediaType: 'video', prompt: 'Waves' },
				mediaUrl: expect.stringMatching(/\.mp4$/),
			}),
		],
	});
	await panel.close();
	expect(await editor.subtitle(NAME)).toBe('video: completed');
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
