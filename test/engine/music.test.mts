import type { IDataObject } from 'n8n-workflow';

import { takesOf } from '../../sandbox/music/takes.mts';
import { runInEngine } from '../support/engine.mts';
import { useSandbox } from '../support/useSandbox.mts';

/** What n8n makes of the forms of music, and what the node sends of that. */

const sandbox = useSandbox();

jest.setTimeout(60_000);

/** A take that a job of this account has made; making it is no part of what is looked at. */
async function take() {
	sandbox.settings.jobMs = { min: 0, max: 0 };
	const song = { resource: 'song', operation: 'generate', prompt: 'A song of the sea' };
	const { json } = await run(song);
	sandbox.journal.clear();
	return { source: json?.jobId, audio_id: takesOf(sandbox.jobs[0]!)[0]?.id };
}

async function run(parameters: IDataObject) {
	const { error, outputs } = await runInEngine({
		parameters: { waitForCompletion: false, ...parameters },
		node: { type: 'n8n-nodes-mediagen.mediaGenMusic' },
		credential: {
			...{ baseUrl: sandbox.url, apiKey: sandbox.key, headerForm: 'bearer' },
			...sandbox.settings.openPaths,
		},
	});
	const sent = sandbox.journal.ofKind('create').map(({ body }) => body as IDataObject);
	return { error, json: outputs[0]?.[0]?.json, sent };
}

test.each([
	['extend', 'Continue At is empty', { style: 'shanty' }],
	[
		'replace_section',
		'Section Start is empty',
		{ infill_end_s: 20, prompt: 'x', tags: 'x', full_lyrics: 'x', title: 'x' },
	],
	[
		'replace_section',
		'Section End is empty',
		{ infill_start_s: 10, prompt: 'x', tags: 'x', full_lyrics: 'x', title: 'x' },
	],
])('%s that says no place in the track is refused: %s', async (operation, message, more) => {
	const ofSong = await take();
	const { error, sent } = await run({ resource: 'song', operation, ...ofSong, ...more });
	expect(error?.message).toContain(message);
	expect(sent).toEqual([]);
});

test('the start of a track is a place like any other', async () => {
	const { error, sent } = await run({
		...{ resource: 'song', operation: 'extend', ...(await take()), continue_at: 0, style: 'x' },
	});
	expect(error?.message).toBeUndefined();
	expect(sent).toMatchObject([{ continue_at: 0 }]);
});

test('a song that is continued in its own style has a title of its own', async () => {
	const { error, sent } = await run({
		...{ resource: 'song', operation: 'extend', ...(await take()), continue_at: 10 },
		...{ default_param_flag: false, title: 'First Snow' },
	});
	expect(error?.message).toBeUndefined();
	expect(sent).toMatchObject([{ default_param_flag: false, title: 'First Snow' }]);
});

test('a song without a prompt is sent where a person left it empty, and not where an expression gives nothing', async () => {
	const song = { resource: 'song', operation: 'generate', model: 'V5' };
	const { error, sent } = await run({ ...song, prompt: '={{ $json.missing }}' });
	expect(error?.message).toContain(
		'Prompt or Lyrics (prompt) is an expression that returns nothing',
	);
	expect(sent).toEqual([]);
	expect((await run({ ...song, prompt: '' })).sent).toHaveLength(1);
});
