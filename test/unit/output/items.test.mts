import type { IDataObject } from 'n8n-workflow';

import { answered, NODES, type NodeName } from './answered.mts';

/** The item of a job: at most ten fields, those that the next node uses first come first, whatever has become of it. */

const at = (name: string) => `https://cdn.example/${name}`;

const URL_1 = at('a.png');

/** A record that says all that a record may say. */
const RECORD = {
	...{ id: 'g1', generation_type: 'image', prompt: 'a dog', model: 'V5' },
	...{ credits_used: 12, credits_remaining: 88 },
	...{ created_at: '2026-01-01T00:00:00Z', completed_at: '2026-01-01T00:00:09Z' },
	...{ error_message: 'Not allowed.', lyrics: 'La la', thumbnail: at('t.png') },
};

const TAKES = [
	{ audio_id: 'a', audio_url: at('a.mp3') },
	{ audio_id: 'b', audio_url: at('b.mp3') },
];

const RESULTS: Record<string, object> = {
	image: { image_url: URL_1 },
	video: { video_url: at('a.mp4') },
	audio: { tracks: TAKES },
	text: {},
	nothing: { thumbnail: undefined },
};

/** All that may become of a job. */
const OUTCOMES: Array<[string, object, IDataObject & { onError?: 'continueRegularOutput' }]> = [
	...Object.entries(RESULTS).map(([made, result]): [string, object, IDataObject] => [
		`completed with ${made}`,
		{ ...RECORD, ...result, status: 'completed' },
		{},
	]),
	['failed', { ...RECORD, status: 'failed' }, { onError: 'continueRegularOutput' }],
	[
		'timed out',
		{ ...RECORD, status: 'processing' },
		{ options: { outputByStatus: true, timeout: 5 } },
	],
	['not seen', { ...RECORD, status: 'processing' }, { onError: 'continueRegularOutput' }],
	['not waited for', {}, { waitForCompletion: false }],
];

const NAMES = Object.keys(NODES) as NodeName[];

test.each(OUTCOMES)('%s: ten fields at most, of every kind of node', async (_, record, given) => {
	for (const name of NAMES) {
		const { json } = await answered(name, record, given);
		expect(Object.keys(json).length).toBeLessThanOrEqual(10);
		expect(json).toMatchObject({ jobId: expect.any(String), details: expect.any(Object) });
	}
});

test.each<[NodeName, string, string]>([
	[
		'image',
		'completed with image',
		'mediaUrl status jobId mediaType creditsUsed mediaUrls prompt details',
	],
	[
		...(['audio', 'completed with audio'] as const),
		'mediaUrl status jobId mediaType creditsUsed mediaUrls audioId takes prompt details',
	],
	['text', 'completed with nothing', 'status jobId mediaType creditsUsed result prompt details'],
	[
		...(['video', 'failed'] as const),
		'error status jobId charged retry errorMessage creditsUsed description prompt details',
	],
	[
		...(['video', 'timed out'] as const),
		'mediaUrl status jobId mediaType creditsUsed mediaUrls timedOut prompt details',
	],
	[
		...(['video', 'not waited for'] as const),
		'mediaUrl status jobId mediaType creditsUsed mediaUrls prompt details',
	],
])('what the next node uses comes first: %s, %s', async (name, outcome, fields) => {
	const [, record, given] = OUTCOMES.find(([one]) => one === outcome)!;
	expect(Object.keys((await answered(name, record, given)).json).join(' ')).toBe(fields);
});

/** The generation record of the document. */
const DOCUMENTED = {
	...{ id: 'g1', generation_type: 'image', status: 'completed', prompt: 'a dog', image_url: URL_1 },
	credits_used: 8,
	...{ created_at: '2026-01-01T00:00:00Z', completed_at: '2026-01-01T00:00:09Z' },
};

test('a finished image, in this order', async () => {
	const { json } = await answered('image', DOCUMENTED);
	expect(Object.entries(json)).toEqual([
		['mediaUrl', URL_1],
		['status', 'completed'],
		['jobId', expect.stringMatching(/^[\w-]{36}$/)],
		['mediaType', 'image'],
		['creditsUsed', 8],
		['mediaUrls', [URL_1]],
		['prompt', 'a dog'],
		['details', expect.any(Object)],
	]);
	expect(json.details).toEqual({
		creditsRemaining: expect.any(Number),
		createdAt: '2026-01-01T00:00:00Z',
		completedAt: '2026-01-01T00:00:09Z',
		waitedMs: expect.any(Number),
		operation: 'generate',
		startedWith: 'generation',
	});
});

test("not simplified: the service's own record", async () => {
	const { json } = await answered('read', DOCUMENTED, { options: { simplify: false } });
	expect(json).toEqual({ ...DOCUMENTED, jobId: 'j', startedWith: 'generation' });
});
