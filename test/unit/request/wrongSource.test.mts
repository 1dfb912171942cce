import { wrongSource } from '../../../nodes/shared/request/wrongSource.ts';
import { musicOperation } from '../../support/operations.mts';

/** The incoming item is the job with this operation, and `wav` is to work on it. */
const problemsWith = (incoming: object) =>
	wrongSource(musicOperation('wav'), { source: 'job-1' }, { jobId: 'job-1', ...incoming });

test('a job of an operation that it works on is right', () => {
	expect(problemsWith({ operation: 'generate', mediaType: 'audio' })).toEqual([]);
});

test.each(['image', 'video'])(
	'of a job for another medium (%s), the medium is named',
	(mediaType) => {
		const [problem] = problemsWith({ operation: 'generate', mediaType });
		expect(problem?.message).toMatch(new RegExp(`but is one of generate \\(${mediaType}\\)$`));
	},
);

test('without a source, there is none to be wrong', () => {
	expect(wrongSource(musicOperation('wav'), {}, { operation: 'lyrics' })).toEqual([]);
});
