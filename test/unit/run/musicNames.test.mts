import type { IDataObject } from 'n8n-workflow';

import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { toldBy } from '../../support/toldBy.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/**
 * The document does not show the path that submits a music operation, nor the field that names the
 * earlier job: either may be, and the service says which it is by what it takes.
 */
function studio(submitPath: string, names: IDataObject = {}, settings: IDataObject = {}) {
	const shapes = { music: names } as SandboxSettingsInput['shapes'];
	const openPaths = { musicSubmitPath: submitPath.split('?')[0]! };
	const n8n = new VirtualN8n(
		{ settings: { openPaths, ...(shapes && { shapes }) } },
		{
			musicSubmitPath: submitPath,
			musicStatusPath: '/open/music/status/{job_id}/',
			musicCatalogPath: '/open/music/catalog/{language}/',
			...settings,
		},
	);
	const run = async (parameters: IDataObject) => {
		const { items, error } = await n8n.clock.run(
			n8n.execute({ items: [{}], parameters, kind: 'music' }),
		);
		return { json: items[0]?.json ?? {}, error };
	};
	const sent = () =>
		n8n.state.journal.ofKind('create').map(({ path, body, operation, status }) => ({
			...{ path, body, operation, status },
		}));
	return { run, sent };
}

const LYRICS = { resource: 'lyrics', operation: 'lyrics', prompt: 'rain' };
const SONG = { resource: 'song', operation: 'generate', prompt: 'rain', model: 'V5' };
const toWav = ({ jobId, audioId }: IDataObject) => ({
	resource: 'track',
	operation: 'wav',
	source: jobId,
	audio_id: audioId,
});

test('where one path serves all, the body has it as operation', async () => {
	const { run, sent } = studio('/studio/run');
	expect((await run(LYRICS)).json).toMatchObject({ status: 'completed', creditsUsed: 1 });
	const { json: song } = await run(SONG);
	expect((await run(toWav(song))).json).toMatchObject({ status: 'completed', creditsUsed: 1 });
	expect(sent()).toMatchObject([
		{ path: '/studio/run', body: { prompt: 'rain', operation: 'lyrics' }, status: 201 },
		{ path: '/studio/run', body: { operation: 'generate', prompt: 'rain' }, status: 201 },
		{ path: '/studio/run', body: { operation: 'wav', source: song.jobId }, status: 201 },
	]);
});

test('the credential has the names of both fields, if they are others', async () => {
	const names = { operationField: 'action', sourceField: 'made_from' };
	const settings = { musicOperationField: ' action ', musicSourceField: 'made_from' };
	const { run, sent } = studio('/studio/run', names, settings);
	const { json: song } = await run(SONG);
	expect((await run(toWav(song))).json).toMatchObject({
		status: 'completed',
		details: { sourceJobId: song.jobId },
	});
	expect(sent()[1]).toEqual({
		path: '/studio/run',
		body: { action: 'wav', made_from: song.jobId, audio_id: song.audioId },
		operation: 'track.wav',
		status: 201,
	});
});

test('a status path that is a whole address is an error before anything is paid for', async () => {
	const whole = 'https://service.example/studio/status/{job_id}/';
	const { run, sent } = studio('/studio/run', {}, { musicStatusPath: whole });
	const { error } = await run(LYRICS);
	expect(error).toMatchObject({
		message: 'Status Path: Music is a whole address; enter what follows the Base URL',
	});
	expect(toldBy(error)).toContain('Nothing was sent.');
	expect(sent()).toEqual([]);
});

test.each([
	[{ audioFrom: 'file', upload: '' }, 'Audio File is empty'],
	[{ audioFrom: 'job', source: '', audio_id: '' }, 'Source Job ID is empty'],
])('stems need their audio: %j', async (given, rule) => {
	const { run, sent } = studio('/studio/run');
	const { error } = await run({ resource: 'track', operation: 'stems', ...given });
	expect(toldBy(error)).toContain(rule);
	expect(sent()).toEqual([]);
});
