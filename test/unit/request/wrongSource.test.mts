import { wrongSource } from '../../../nodes/shared/request/validate.ts';
import { musicOperation } from '../../support/operations.mts';

/** The incoming item is the job with this operation, and `wav` is to work on it. */
const problemsWith = (incoming: object) =>
	wrongSource(musicOperation('wav'), { source: 'job-1' }, { jobId: 'job-1', ...incoming });

test('a job of an operation that it works on is right', () => {
	expect(problemsWith({ operation: 'generate', startedWith: 'music' })).toEqual([]);
});

test.each(['generation', 'imageUnified', 'vidA31'])(
	'of a job that is no music (%s), what it was started with is named',
	(startedWith) => {
		const [problem] = problemsWith({ operation: 'generate', startedWith });
		expect(problem?.message).toMatch(new RegExp(`but is one of generate \\(${startedWith}\\)$`));
	},
);

test.each(['image', 'video'])('music that makes an %s is music', (mediaType) => {
	const source = { required: true, operations: ['cover_art'] };
	const incoming = { jobId: 'job-1', operation: 'cover_art', mediaType, startedWith: 'music' };
	const operation = { ...musicOperation('wav'), source };
	expect(wrongSource(operation, { source: 'job-1' }, incoming)).toEqual([]);
});

test('without a source, there is none to be wrong', () => {
	expect(wrongSource(musicOperation('wav'), {}, { operation: 'lyrics' })).toEqual([]);
});

test.each([
	['as the node gives it', (job: object) => ({ details: job })],
	['as stored in a table', (job: object) => job],
])('what the item says is read %s', (_, placed) => {
	expect(problemsWith(placed({ operation: 'generate', startedWith: 'music' }))).toEqual([]);
	expect(problemsWith(placed({ operation: 'lyrics', startedWith: 'music' }))).toHaveLength(1);
});
