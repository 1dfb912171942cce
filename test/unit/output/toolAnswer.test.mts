import { jobOutput, toolAnswer } from '../../../nodes/shared/output/jobOutput.ts';
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
const image = { mediaType: 'image', route: GENERATION_STATUS, startedWith: 'generation' } as const;

test('of a finished image: its URL once, its job, its credits', () => {
	// In this order.
	expect(Object.entries(toolAnswer(jobOutput(job, image, simplified)))).toEqual([
		['mediaUrl', url],
		['status', 'completed'],
		['jobId', 'g1'],
		['startedWith', 'generation'],
		['creditsUsed', 8],
	]);
});

test('of a job that goes on: what is needed to ask again', () => {
	const waiting = { ...job, state: 'processing', record: { id: 'g1', status: 'processing' } };
	const item = jobOutput({ ...waiting, timedOut: true }, image, simplified);
	expect(toolAnswer(item)).toEqual({
		mediaUrl: null,
		status: 'processing',
		jobId: 'g1',
		startedWith: 'generation',
		creditsUsed: 8,
		timedOut: true,
	});
});

test('of a failed one: why', () => {
	const failed = { ...record, status: 'failed', image_url: null, error_message: 'no' };
	const item = jobOutput({ ...job, state: 'failed', record: failed }, image, simplified);
	expect(toolAnswer(item)).toMatchObject({ status: 'failed', errorMessage: 'no', jobId: 'g1' });
});

test('of several takes: all URLs', () => {
	const mediaUrls = ['https://cdn.example/1.mp3', 'https://cdn.example/2.mp3'];
	const item = { mediaUrl: mediaUrls[0]!, jobId: 's1', mediaUrls, audioId: 't1', takes: [] };
	expect(toolAnswer(item)).toEqual({
		mediaUrl: mediaUrls[0],
		mediaUrls,
		jobId: 's1',
		audioId: 't1',
	});
});

test('of a text: the text', () => {
	const item = { status: 'completed', jobId: 'l1', result: { lyrics: 'la' }, otherUrls: [] };
	expect(toolAnswer(item)).toEqual({
		status: 'completed',
		jobId: 'l1',
		result: { lyrics: 'la' },
	});
});

test('of a creation whose answer the document does not show: that answer', () => {
	const answer = { ticket: 'x' };
	expect(toolAnswer({ jobId: 'm1', status: null, notWaited: 'No path.', answer })).toEqual({
		status: null,
		jobId: 'm1',
		notWaited: 'No path.',
		answer,
	});
});
