import axios from 'axios';

import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { useSharedN8n } from '../support/useRealN8n.mts';

/** The video node in a real n8n server: every family, under answers of different shapes. */

const n8n = useSharedN8n({ sandbox: { jobMs: { min: 0, max: 0 } } });

beforeEach(() => {
	n8n.sandbox.account.credits.purchased = 10_000;
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

/** Answers that the service may give, and what the credential has for them. */
const SHAPES = [
	{
		creation: { enveloped: true, idField: 'generation_id', stateField: 'status' },
		record: { resultUrl: 'video_url', stateField: 'status', enveloped: false },
		statusPaths: true,
		leftOut: undefined,
	},
	{
		creation: { enveloped: false, idField: 'job_id', stateField: 'state' },
		record: { resultUrl: 'output.videos[].url', stateField: 'state', enveloped: true },
		statusPaths: false,
		// Its jobs are first read after the 30 s that the service documents: once is enough.
		leftOut: 'vidA31.generate',
	},
];

test.each(SHAPES)(
	'every family ends with a media URL, at its price, with %j',
	async ({ statusPaths, leftOut, ...shapes }) => {
		const { openPaths, shapes: own } = n8n.sandbox.settings;
		Object.assign(own.creation, shapes.creation);
		Object.assign(own.record, shapes.record);
		const credential = await n8n.addCredential({
			...{ baseUrl: n8n.sandbox.url, apiKey: n8n.sandbox.key },
			...(statusPaths && { statusPath: own.statusPath }),
			...{ vidCImagePath: openPaths.vidCImagePath, vidEPath: openPaths.vidEPath },
		});
		const families = Object.entries(FAMILIES).filter(([name]) => name !== leftOut);
		const branches = families.map(([name, [more]]) => {
			const [resource, operation] = name.split('.');
			const parameters = { resource, operation, prompt: name, ...more };
			return { node: 'mediaGenVideo', parameters, credential } as const;
		});
		const ran = await n8n.runBranches(branches, 4);
		const { charges } = n8n.sandbox.account;
		expect(charges).toHaveLength(ran.length);
		for (const [index, [name, [, credits]]] of families.entries()) {
			const { outputs, error } = ran[index]!;
			const json = outputs[0]?.[0]?.json;
			const charge = charges.find(({ jobId }) => jobId === json?.jobId);
			expect([name, error, json?.status, json?.mediaType, charge?.credits]).toEqual([
				...[name, undefined, 'completed', 'video', credits],
			]);
			const video = await axios.get(json.mediaUrl, { responseType: 'arraybuffer' });
			expect(Buffer.from(video.data).subarray(4, 8).toString()).toBe('ftyp');
		}
	},
	120_000,
);

test('jobs are started, read, waited for and listed', async () => {
	const branch = (resource: string, operation: string, parameters: object = {}) => ({
		node: 'mediaGenVideo' as const,
		parameters: { resource, operation, ...parameters },
	});
	const families = ['vidA31', 'videoStudio'];
	const starts = families.map((resource) => {
		const own = { prompt: 'x', waitForCompletion: false, ...FAMILIES[`${resource}.generate`]![0] };
		return branch(resource, 'generate', own);
	});
	const started = await n8n.runBranches(starts, starts.length);
	const jobIds = started.map(({ outputs }) => outputs[0]?.[0]?.json.jobId);
	expect(new Set(jobIds)).toEqual(new Set(n8n.sandbox.jobs.map(({ id }) => id)));

	const reads = families.flatMap((startedWith, index) => {
		const job = { startedWith, jobId: jobIds[index] };
		return ['get', 'wait'].map((operation) => branch('job', operation, job));
	});
	const lists = [
		branch('videoStudio', 'history'),
		branch('job', 'history'),
		branch('model', 'list'),
	];
	const ran = await n8n.runBranches([...reads, ...lists], reads.length + lists.length);
	for (const [index, { outputs, error }] of ran.entries()) {
		expect(error).toBeUndefined();
		expect(outputs[0]?.length).toBeGreaterThan(0);
		if (index >= reads.length) continue;
		const jobId = jobIds[Math.floor(index / 2)];
		expect(outputs[0]?.[0]?.json).toMatchObject({ jobId, status: 'completed' });
	}
});

test('three families in one workflow, chained by URL', async () => {
	const node = (name: string, resource: string, operation: string, more: object) => ({
		...{ name, type: 'mediaGenVideo' },
		parameters: { resource, operation, ...more },
	});
	const execution = await n8n.runChain([
		node('D', 'vidD', 'generate', { prompt: 'a boat', resolution: '480p', duration: '4' }),
		node('E', 'vidE26', 'videoToVideo', {
			...{ prompt: 'at night', duration: '5', resolution: '720p' },
			video_url: '={{ $json.mediaUrl }}',
		}),
		node('Studio', 'videoStudio', 'generate', {
			payload: '={{ JSON.stringify({ source: $json.mediaUrl }) }}',
		}),
	]);
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
