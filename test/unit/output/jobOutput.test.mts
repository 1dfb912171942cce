import { jobOutput } from '../../../nodes/shared/output/jobOutput.ts';
import { GENERATION_STATUS } from '../../../nodes/shared/spec/answers.ts';

const simplified = { simplify: true, resultField: '' };
const url = 'https://cdn.example/a.png';

/** The generation record of the document. */
const record = {
	id: 'g1',
	generation_type: 'image',
	status: 'completed',
	prompt: 'a cat',
	image_url: url,
	credits_used: 8,
	created_at: '2026-01-01T00:00:00Z',
	completed_at: '2026-01-01T00:00:09Z',
};
const job = {
	id: 'g1',
	state: 'completed',
	record,
	creation: { credits_used: 8, credits_remaining: 92 },
	waitedMs: 9000,
};

test('a finished image', () => {
	const origin = {
		mediaType: 'image',
		route: GENERATION_STATUS,
		operation: 'generate',
		startedWith: 'generation',
	} as const;
	const item = jobOutput(job, origin, simplified);
	// In this order.
	expect(Object.entries(item)).toEqual([
		['mediaUrl', url],
		['status', 'completed'],
		['jobId', 'g1'],
		['mediaType', 'image'],
		['creditsUsed', 8],
		['mediaUrls', [url]],
		['prompt', 'a cat'],
		[
			'details',
			{
				creditsRemaining: 92,
				createdAt: '2026-01-01T00:00:00Z',
				completedAt: '2026-01-01T00:00:09Z',
				waitedMs: 9000,
				operation: 'generate',
				startedWith: 'generation',
			},
		],
	]);
});

test('a finished video, read by its id', () => {
	const video = { ...record, generation_type: 'video', video_url: url, video_model: 'modelA' };
	const seen = { ...job, creation: undefined, record: { ...video, thumbnail: `${url}?small` } };
	expect(jobOutput(seen, { route: GENERATION_STATUS }, simplified)).toMatchObject({
		mediaType: 'video',
		mediaUrl: url,
		details: { model: 'modelA', otherUrls: [{ path: 'thumbnail', url: `${url}?small` }] },
	});
});

test('two candidates: the first is taken, and both are there', () => {
	const seen = { ...job, record: { ...record, image_url: undefined, a: url, b: `${url}?b` } };
	expect(jobOutput(seen, {}, simplified)).toMatchObject({
		mediaUrl: url,
		mediaUrls: [url],
		details: { otherUrls: [{ path: 'b', url: `${url}?b` }] },
	});
	expect(jobOutput(seen, {}, { ...simplified, resultField: 'b' })).toMatchObject({
		mediaUrl: `${url}?b`,
		mediaUrls: [`${url}?b`],
		details: { otherUrls: [{ path: 'a', url }] },
	});
});

test('a Result Field without a URL gives none, and hides none', () => {
	expect(jobOutput(job, {}, { ...simplified, resultField: 'result.url' })).toMatchObject({
		mediaUrl: null,
		mediaUrls: [],
		details: { otherUrls: [{ path: 'image_url', url }] },
	});
});

test('a failed job: the reason, that it was charged, and that another one is charged, too', () => {
	const failed = { id: 'g1', status: 'failed', error_message: 'Not allowed.' };
	expect(jobOutput({ ...job, state: 'failed', record: failed }, {}, simplified)).toEqual({
		mediaUrl: null,
		status: 'failed',
		jobId: 'g1',
		creditsUsed: 8,
		errorMessage: 'Not allowed.',
		charged: 'yes',
		retry: 'paysAgain',
		details: { creditsRemaining: 92, waitedMs: 9000 },
	});
});

describe('an answer to a creation that the document does not show', () => {
	const creation = { taskId: 'other', id: 'g1', job_id: 7, status: 'queued', credits_used: 5 };
	const itemOf = (isAnswerOpen: boolean, state = 'queued') =>
		jobOutput({ ...job, state, creation, record: creation }, { isAnswerOpen }, simplified).details;

	test('stays with the job until it has ended: it may be known by another name', () => {
		expect(itemOf(true)).toMatchObject({ answer: { taskId: 'other', job_id: 7 } });
	});

	test('is left out where the job has ended, or the document shows it', () => {
		expect(itemOf(true, 'completed')).not.toHaveProperty('answer');
		expect(itemOf(false)).not.toHaveProperty('answer');
	});
});

test('before it is completed there is no result', () => {
	expect(jobOutput({ ...job, state: 'processing' }, {}, simplified)).toMatchObject({
		status: 'processing',
		mediaUrl: null,
		mediaUrls: [],
	});
});

test("not simplified: the service's own record", () => {
	expect(jobOutput(job, {}, { simplify: false, resultField: '' })).toEqual({
		...record,
		jobId: 'g1',
	});
});

describe('the field that the credential names', () => {
	const found = { ...job, record: { ...record, image_url: `${url}?small`, output: { url } } };
	const mediaUrl = (urlPath: string, more: object = {}) =>
		jobOutput(found, { mediaType: 'image', urlPath, ...more }, simplified).mediaUrl;

	test.each(['output.url', 'output', 'data.output.url'])('%s has the result URL', (urlPath) => {
		expect(mediaUrl(urlPath)).toBe(url);
	});

	test('does not go before a documented one, nor before Result Field', () => {
		const route = { urlFields: { image: 'image_url' } };
		expect(mediaUrl('output.url', { route })).toBe(`${url}?small`);
		const pinned = { ...simplified, resultField: 'image_url' };
		expect(jobOutput(found, { urlPath: 'output.url' }, pinned).mediaUrl).toBe(`${url}?small`);
	});

	test('loses nothing where it has no URL', () => {
		const origin = { mediaType: 'image', urlPath: 'video' } as const;
		expect(jobOutput(found, origin, simplified)).toMatchObject({
			mediaUrl: `${url}?small`,
			details: { otherUrls: [{ path: 'output.url', url }] },
		});
	});
});
