import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { bytesAt } from '../support/bytesAt.mts';
import { jobOf } from '../support/jobOf.mts';
import { useExamples, type NodeChanges } from '../support/useExamples.mts';
import { SIGNED_IN, useOtherServices } from '../support/useOtherServices.mts';

/** Examples that make several videos in one run, and do something with all of them. */

const GOOGLE = 'www.googleapis.com';
const DRIVE = {
	begin: `POST ${GOOGLE}/upload/drive/v3/files`,
	file: `PUT ${GOOGLE}/upload/session`,
	name: `PATCH ${GOOGLE}/drive/v3/files/stored`,
};
const JOINER = {
	begin: 'POST api.json2video.com/v2/movies',
	ask: 'GET api.json2video.com/v2/movies',
};
const FILM = 'https://assets.json2video.com/film.mp4';

const others = useOtherServices({
	[DRIVE.begin]: { headers: { location: `https://${GOOGLE}/upload/session` } },
	[DRIVE.file]: { body: { id: 'stored' } },
	[DRIVE.name]: ({ body }) => ({ body: { id: 'stored', name: body.name } }),
	[JOINER.begin]: { body: { success: true, project: 'WAEE8PohgVwv2teP' } },
	[JOINER.ask]: { body: { success: true, movie: { success: true, status: 'done', url: FILM } } },
});

const { n8n, addCredential, importExample } = useExamples({
	sandbox: { jobMs: { min: 0, max: 0 } },
});

jest.setTimeout(150_000);

beforeAll(async () => {
	await addCredential('googleDriveOAuth2Api', SIGNED_IN);
	await addCredential('httpHeaderAuth', { name: 'x-api-key', value: 'key-of-a-test' });
});

const routes = () => others.calls.map(({ route }) => route);
const media = (id = '', ending = 'mp4') => `${n8n.sandbox.url}/media/${id}.${ending}`;

async function run(file: string, changes?: NodeChanges) {
	const workflow = await importExample(file, changes);
	return await n8n.client.waitForExecution(await n8n.client.runManually(workflow, 'Start'));
}

async function retry(id: string) {
	return await n8n.client.waitForExecution(await n8n.client.retryExecution(id));
}

describe('adInThreeRatios', () => {
	const videos = () => n8n.sandbox.jobs.slice(1);
	const videoOf = (ratio: string) => videos().find(({ body }) => body.aspectRatio === ratio);

	test('three videos that begin with one picture are in Drive, each named by its ratio', async () => {
		const execution = await run('adInThreeRatios.json');
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		expect(videos().map(({ body }) => body)).toEqual(
			Array(3).fill(
				expect.objectContaining({
					generationMode: 'image_to_video',
					imageUrls: [media(n8n.sandbox.jobs[0]?.id, 'png')],
					duration: '5',
					sound: false,
					prompt_directory_optin: false,
				}),
			),
		);
		expect(n8n.sandbox.account.charges.map(({ credits }) => credits)).toEqual([8, 55, 55, 55]);
		expect(routes()).toEqual(Array(3).fill([DRIVE.begin, DRIVE.file, DRIVE.name]).flat());
		expect(others.callsOf(DRIVE.begin).map(({ body }) => body.name)).toEqual([
			'Blue enamel mug 16x9.mp4',
			'Blue enamel mug 9x16.mp4',
			'Blue enamel mug 1x1.mp4',
		]);
		const files = others.callsOf(DRIVE.file).map(({ body }) => body);
		for (const [index, ratio] of ['16:9', '9:16', '1:1'].entries()) {
			expect(files[index].equals(await bytesAt(media(videoOf(ratio)?.id)))).toBe(true);
		}
	});

	test('one that is refused: nothing is stored, and a retry makes that one alone', async () => {
		n8n.sandbox.faults.add({
			match: { kind: 'create', bodyPattern: '9:16' },
			fault: { kind: 'status', status: 403 },
			times: 1,
		});
		const failed = await run('adInThreeRatios.json');
		expect([failed.status, failed.lastNode]).toEqual(['error', 'Make the videos']);
		expect(others.calls).toEqual([]);
		expect((await retry(failed.id)).status).toBe('success');
		expect(n8n.sandbox.account.charges.map(({ credits }) => credits)).toEqual([8, 55, 55, 55]);
		expect(others.callsOf(DRIVE.file)).toHaveLength(3);
	});

	test('a longer list than the limit: no video is paid for', async () => {
		const value = JSON.stringify(['16:9', '9:16', '1:1', '16:9']);
		const failed = await run('adInThreeRatios.json', {
			Ratios: {
				parameters: {
					assignments: { assignments: [{ id: 'ratios', name: 'ratios', type: 'array', value }] },
				},
			},
		});
		expect(failed.error?.message).toContain('220');
		expect(videos()).toEqual([]);
	});
});

describe('joinClips', () => {
	const SCENES = [
		'A paper boat is set down on a rainy street, camera close to the water',
		'The paper boat drifts past the shops, camera follows it',
		'The paper boat reaches the sea at sunset',
	];
	const clips = () => SCENES.map((scene) => media(jobOf(n8n.sandbox, scene)?.id));

	const AT_ONCE = { 'A moment': { parameters: { amount: 0 } } };

	test('one film of all clips, in the order of the scenes', async () => {
		for (const status of ['pending', 'running']) {
			others.answerOnce(JOINER.ask, { body: { success: true, movie: { success: true, status } } });
		}
		const execution = await run('joinClips.json', AT_ONCE);
		expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		expect(outputsOf(execution, 'Film')[0]?.map(({ json }) => json)).toEqual([
			{ filmUrl: FILM, clips: clips() },
		]);
		expect(routes()).toEqual([JOINER.begin, JOINER.ask, JOINER.ask, JOINER.ask]);
		const [begin, ask] = others.calls;
		expect(begin?.headers).toMatchObject({ 'x-api-key': 'key-of-a-test' });
		expect(begin?.body).toEqual({
			resolution: 'full-hd',
			scenes: clips().map((src) => ({ elements: [{ type: 'video', src }] })),
		});
		expect(ask?.query).toEqual({ project: 'WAEE8PohgVwv2teP' });
		expect(n8n.sandbox.account.charges).toHaveLength(3);
	});

	test('what cannot be joined: the error says why, and where the clips are', async () => {
		const movie = { success: false, status: 'error', message: 'The source cannot be read.' };
		others.answerOnce(JOINER.ask, { body: { success: true, movie } });
		const failed = await run('joinClips.json', AT_ONCE);
		expect([failed.lastNode, failed.error?.message]).toEqual([
			'Not joined',
			`The clips are there, but could not be joined: The source cannot be read. ${clips().join(' ')}`,
		]);
	});

	test('a clip that fails: nothing is joined, and a retry makes that one alone', async () => {
		n8n.sandbox.settings.failPrompt = 'past the shops';
		const failed = await run('joinClips.json', AT_ONCE);
		expect([failed.status, failed.lastNode]).toEqual(['error', 'Make the clips']);
		expect(others.calls).toEqual([]);
		n8n.sandbox.settings.failPrompt = '[fail]';
		expect((await retry(failed.id)).status).toBe('success');
		expect(n8n.sandbox.jobs).toHaveLength(4);
		expect(others.callsOf(JOINER.begin)).toHaveLength(1);
	});
});
