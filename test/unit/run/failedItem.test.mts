import { failedItem } from '../../../nodes/shared/run/outputs.ts';

const error = { message: 'Job j failed: no', description: 'Try again.' };
const job = {
	mediaUrl: null,
	status: 'failed',
	jobId: 'j',
	errorMessage: 'no',
	charged: 'yes',
	retry: 'paysAgain',
	details: { waitedMs: 7, startedWith: 'vidC' },
} as const;
const facts = {
	status: 'failed',
	jobId: 'j',
	charged: 'yes',
	retry: 'paysAgain',
	errorMessage: 'no',
	description: 'Try again.',
	details: { waitedMs: 7, startedWith: 'vidC' },
};

test('among the others, it has the error at its top', () => {
	expect(failedItem(error, job, 'item')).toEqual({ error: 'Job j failed: no', ...facts });
});

test('by the error output, n8n takes error and message alone', () => {
	expect(failedItem(error, job, 'errorOutput')).toEqual({
		error: 'Job j failed: no',
		message: facts,
	});
});

test('without a job', () => {
	expect(failedItem({ message: 'no', description: '' }, {}, 'item')).toEqual({
		error: 'no',
		status: 'failed',
		errorMessage: 'no',
	});
});

test.each([
	['queued', 'queued'],
	['processing', 'processing'],
	['rendering', 'rendering'],
	['completed', 'failed'],
	['failed', 'failed'],
	[null, 'failed'],
])('a job last seen as %s is %s', (status, expected) => {
	expect(failedItem(error, { ...job, status }, 'item').status).toBe(expected);
});

test('the result of a job that is completed all the same stays', () => {
	const mediaUrls = ['https://a/b.png'];
	const completed = { ...job, status: 'completed', mediaUrl: mediaUrls[0], mediaUrls };
	expect(failedItem(error, completed as never, 'item')).toMatchObject({
		status: 'failed',
		details: { mediaUrl: 'https://a/b.png', mediaUrls },
	});
});
