import { jobOutput } from '../../../nodes/shared/output/jobOutput.ts';
import { GENERATION_STATUS } from '../../../nodes/shared/spec/jobs.ts';

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
	expect(jobOutput(job, { mediaType: 'image', route: GENERATION_STATUS }, simplified)).toEqual({
		jobId: 'g1',
		status: 'completed',
		mediaType: 'image',
		mediaUrl: url,
		mediaUrls: [url],
		mediaUrlPaths: ['image_url'],
		creditsUsed: 8,
		creditsRemaining: 92,
		model: null,
		createdAt: '2026-01-01T00:00:00Z',
		completedAt: '2026-01-01T00:00:09Z',
		waitedMs: 9000,
		raw: record,
	});
});

test('a finished video, read by its id', () => {
	const video = { ...record, generation_type: 'video', video_url: url, video_model: 'modelA' };
	const seen = { ...job, creation: undefined, record: { ...video, thumbnail: `${url}?small` } };
	expect(jobOutput(seen, { route: GENERATION_STATUS }, simplified)).toMatchObject({
		mediaType: 'video',
		mediaUrl: url,
		model: 'modelA',
		creditsRemaining: null,
	});
});

test('two candidates: both are there, none is chosen', () => {
	const seen = { ...job, record: { ...record, small: `${url}?small` } };
	expect(jobOutput(seen, {}, simplified)).toMatchObject({
		mediaUrl: null,
		mediaUrls: [url, `${url}?small`],
		mediaUrlPaths: ['image_url', 'small'],
	});
	expect(jobOutput(seen, {}, { ...simplified, resultField: 'small' })).toMatchObject({
		mediaUrl: `${url}?small`,
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
	expect(jobOutput(job, {}, { simplify: false, resultField: '' })).toBe(record);
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
		const { mediaUrls } = jobOutput(found, { mediaType: 'image', urlPath: 'video' }, simplified);
		expect(mediaUrls).toEqual([`${url}?small`, url]);
	});
});
