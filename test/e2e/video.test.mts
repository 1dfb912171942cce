import axios from 'axios';

import { outputsOf, type Credential } from '../../tools/lib/n8nClient.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** The video node in a real n8n server: every family, under answers of different shapes. */

const n8n = useSharedN8n({ sandbox: { jobMs: { min: 0, max: 0 } } });

let withPaths: Credential;

const STATUS_PATHS = ['vidB30', 'vidB26', 'vidC', 'vidD', 'vidE26', 'vidE'];

beforeEach(async () => {
	n8n.sandbox.account.credits.purchased = 10_000;
	const { openPaths, shapes } = n8n.sandbox.settings;
	withPaths = await n8n.addCredential({
		baseUrl: n8n.sandbox.url,
		apiKey: n8n.sandbox.key,
		...Object.fromEntries(STATUS_PATHS.map((name) => [`${name}StatusPath`, shapes.statusPath])),
		vidCImagePath: openPaths.vidCImagePath,
		vidEPath: openPaths.vidEPath,
	});
});

jest.setTimeout(60_000);

const image = 'https://cdn.example/first.png';
const payload = { payload: '{"model": "any", "prompt": "a kite"}' };

/** Besides the fields that the form has. */
const imagePayload = { payload: JSON.stringify({ image }) };

/** Parameters of one request for each operation that creates a video, and what it costs. */
const FAMILIES: Record<string, [parameters: object, credits: number]> = {
	'standardVideo.generate': [
		{
			video_model: 'modelA_fast',
			aspect_ratio: '9:16',
			prompt_directory_optin: false,
			source_image_urls: image,
			additionalFields: { watermark_text: 'Mine' },
		},
		150,
	],
	'vidA31.generate': [
		{
			model: 'modelA_fast',
			aspectRatio: 'Auto',
			imageUrls: `${image},${image}`,
			additionalFields: { enableFallback: true },
		},
		300,
	],
	'vidB30.generate': [
		{
			generationMode: 'text_to_video',
			durationSeconds: 5,
			qualityMode: 'pro',
			aspectRatio: '9:16',
			sound: true,
		},
		200,
	],
	'vidB26.textToVideo': [{ duration: '10', aspectRatio: '1:1' }, 110],
	'vidB26.imageToVideo': [{ duration: '5', aspectRatio: '1:1', imageUrls: [image] }, 55],
	'vidC.textToVideo': [{ aspect_ratio: 'square', quality: 'high' }, 80],
	'vidC.imageToVideo': [imagePayload, 80],
	'vidD.generate': [
		{
			aspect_ratio: '16:9',
			resolution: '720p',
			duration: '12',
			generate_audio: true,
			prompt_directory_optin: true,
		},
		74,
	],
	'vidE26.textToVideo': [{ duration: '15', resolution: '1080p' }, 315],
	'vidE26.imageToVideo': [{ duration: '5', resolution: '720p', image_url: image }, 70],
	'vidE26.videoToVideo': [{ duration: '5', resolution: '1080p', video_url: image }, 105],
	'vidE.generate': [payload, 8],
	'videoStudio.generate': [payload, 8],
};

const SHAPES = [
	{
		creation: { enveloped: true, idField: 'generation_id', stateField: 'status' },
		record: { resultUrl: 'video_url', stateField: 'status', enveloped: false },
	},
	{
		creation: { enveloped: false, idField: 'job_id', stateField: 'state' },
		record: { resultUrl: 'output.videos[].url', stateField: 'state', enveloped: true },
	},
];

describe.each(SHAPES)('answers such as %j', (shapes) => {
	beforeEach(() => {
		Object.assign(n8n.sandbox.settings.shapes.creation, shapes.creation);
		Object.assign(n8n.sandbox.settings.shapes.record, shapes.record);
	});

	test('every family ends with a media URL', async () => {
		const families = Object.entries(FAMILIES).map(([name, [more, credits]]) => {
			const [resource, operation] = name.split('.');
			const parameters = { resource, operation, prompt: name, ...more };
			const branch = { node: 'mediaGenVideo', parameters, credential: withPaths } as const;
			return { name, credits, branch };
		});
		const branches = families.map(({ branch }) => branch);
		const runs = await n8n.runBranches(branches, 4);
		const ran = families.map((family, index) => ({ ...family, ...runs[index]! }));
		const { charges } = n8n.sandbox.account;
		expect(charges).toHaveLength(ran.length);
		for (const { name, credits, outputs, error } of ran) {
			const json = outputs[0]?.[0]?.json;
			const charge = charges.find(({ jobId }) => jobId === json?.jobId);
			expect({ name, error, status: json?.status, mediaType: json?.mediaType }).toEqual({
				name,
				error: undefined,
				status: 'completed',
				mediaType: 'video',
			});
			expect([name, charge?.credits]).toEqual([name, credits]);
			const video = await axios.get(json.mediaUrl, { responseType: 'arraybuffer' });
			expect(Buffer.from(video.data).subarray(4, 8).toString()).toBe('ftyp');
		}
	}, 120_000);
});

test('jobs are started, read, waited for and listed', async () => {
	const branch = (resource: string, operation: string, parameters: object) => ({
		node: 'mediaGenVideo' as const,
		parameters: { resource, operation, ...parameters },
	});
	const families = ['vidA31', 'videoStudio'];
	const starts = families.map((resource) => {
		const [parameters] = FAMILIES[`${resource}.generate`]!;
		return branch(resource, 'generate', {
			prompt: 'x',
			waitForCompletion: false,
			...parameters,
		});
	});
	const started = await n8n.runBranches(starts, starts.length);
	const jobIds = started.map(({ outputs }) => outputs[0]?.[0]?.json.jobId);
	expect(new Set(jobIds)).toEqual(new Set(n8n.sandbox.jobs.map(({ id }) => id)));

	const reads = families.flatMap((startedWith, index) =>
		['get', 'wait'].map((operation) => ({
			jobId: jobIds[index],
			read: branch('job', operation, { startedWith, jobId: jobIds[index] }),
		})),
	);
	const lists = [
		['videoStudio', 'history'],
		['job', 'history'],
		['model', 'list'],
	].map(([resource = '', operation = '']) => branch(resource, operation, {}));
	const branches = [...reads.map(({ read }) => read), ...lists];
	const ran = await n8n.runBranches(branches, branches.length);
	const outputs = ran.map((each) => each.outputs[0]);
	expect(ran.map(({ error }) => error)).toEqual(branches.map(() => undefined));
	expect(outputs.slice(0, reads.length).map((items) => items?.[0]?.json)).toEqual(
		reads.map(({ jobId }) =>
			expect.objectContaining({
				jobId,
				status: 'completed',
				mediaUrl: expect.stringContaining('.mp4'),
			}),
		),
	);
	expect(outputs.slice(reads.length).map((items) => (items?.length ?? 0) > 0)).toEqual(
		lists.map(() => true),
	);
});

test('three families in one workflow, chained by URL', async () => {
	const { id, name } = withPaths;
	const node = (nodeName: string, type: string, parameters: object) => ({
		name: nodeName,
		type: `n8n-nodes-mediagen.${type}`,
		typeVersion: 1,
		parameters,
		credentials: { mediaGenApi: { id, name } },
	});
	const main = (next: string) => ({ main: [[{ node: next, type: 'main', index: 0 }]] });
	const workflow = await n8n.client.createWorkflow({
		name: 'chain',
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1 },
			node('D', 'mediaGenVideo', {
				resource: 'vidD',
				operation: 'generate',
				prompt: 'a boat',
				resolution: '480p',
				duration: '4',
			}),
			node('E', 'mediaGenVideo', {
				resource: 'vidE26',
				operation: 'videoToVideo',
				prompt: 'at night',
				video_url: '={{ $json.mediaUrl }}',
				duration: '5',
				resolution: '720p',
			}),
			node('Studio', 'mediaGenVideo', {
				resource: 'videoStudio',
				operation: 'generate',
				payload: '={{ JSON.stringify({ source: $json.mediaUrl }) }}',
			}),
		],
		connections: { Start: main('D'), D: main('E'), E: main('Studio') },
	});
	const run = await n8n.client.runManually(workflow, 'Start');
	const execution = await n8n.client.waitForExecution(run);
	expect(execution.status).toBe('success');
	const urls = ['D', 'E', 'Studio'].map(
		(each) => outputsOf(execution, each)[0]?.[0]?.json.mediaUrl,
	);
	expect(new Set(urls).size).toBe(3);
	expect(n8n.sandbox.jobs.slice(1).map(({ body }) => body)).toEqual([
		expect.objectContaining({ video_url: urls[0] }),
		{ source: urls[1] },
	]);
});
