import { JobError, withJob } from '../../../nodes/shared/orders/job.ts';

const job = { id: 'j1', state: 'completed', record: {}, waitedMs: 0 };

test('whatever goes wrong after payment carries the job', () => {
	const error = withJob(new Error('no room'), job);
	expect(error).toMatchObject({ kind: 'lost', job });
	expect(error.message).toBe('The result of job j1 could not be output: no room');
	expect(error.description).toContain('paid for');
});

test('an error that carries it already stays as it is', () => {
	const own = new JobError('failed', 'Job j1 failed', '', job);
	expect(withJob(own, job)).toBe(own);
});
