import { JobError } from '../../../nodes/shared/orders/job.ts';
import { waitForJob } from '../../../nodes/shared/orders/waitForJob.ts';
import { fakeService, fault } from '../../support/fakeService.mts';
import { followerOf } from '../../support/follower.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

const awaited = { id: 'j1', path: '/status/j1/', creation: {} };

/** Waits with the interval of 5 s and the time-out of 60 s. */
async function wait(answers: unknown[], more: { signal?: AbortSignal; creation?: undefined } = {}) {
	const clock = new VirtualClock();
	const { service, sent } = fakeService(answers);
	const { signal, ...job } = more;
	const startedAt = clock.elapsed();
	const result = await clock.run(
		waitForJob(
			followerOf(service, clock),
			{ ...awaited, startedAt, ...job },
			{ timeoutMs: 60_000, signal },
		).catch((error: unknown) => error),
	);
	return { result, sent, elapsed: clock.elapsed() - startedAt };
}

test('polls by the plan until the job is completed', async () => {
	const { result, sent, elapsed } = await wait([
		{ status: 'queued' },
		{ status: 'processing' },
		{ status: 'rendering' },
		{ status: 'completed', url: 'https://cdn.example/1.png' },
	]);
	expect(result).toMatchObject({ id: 'j1', state: 'completed', waitedMs: 4000 });
	expect(sent).toHaveLength(4);
	expect(elapsed).toBe(4000);
});

test('reads a record in an envelope', async () => {
	const { result } = await wait([{ success: true, data: { status: 'completed', n: 1 } }]);
	expect(result).toMatchObject({ record: { status: 'completed', n: 1 } });
});

test('a failed job is an error with the reason and the id', async () => {
	const { result } = await wait([{ status: 'failed', error_message: 'no luck' }]);
	expect(result).toBeInstanceOf(JobError);
	expect(result).toMatchObject({ kind: 'failed', message: 'Job j1 failed: no luck' });
});

test.each([
	['a 500', fault('unknown', 500)],
	['a 429', fault('refused', 429)],
	['a broken connection', fault('unknown')],
	['a refused connection', fault('unreachable')],
	['an answer that is no record', 'garbage'],
])('%s does not end the wait for a paid job', async (_, trouble) => {
	const { result } = await wait([trouble, trouble, { status: 'completed' }]);
	expect(result).toMatchObject({ state: 'completed' });
});

test.each([401, 404])(
	'of a created job, the third %i ends the wait, with the id',
	async (status) => {
		const refused = fault('refused', status);
		const { result } = await wait([{ status: 'processing' }, refused]);
		expect(result).toMatchObject({ kind: 'lost', job: { id: 'j1', state: 'processing' } });
	},
);

test.each([400, 401, 403, 404])('a %i that passes is waited out', async (status) => {
	const refused = fault('refused', status);
	const answers = [{ status: 'processing' }, refused, refused, { status: 'completed' }];
	const { result } = await wait(answers);
	expect(result).toMatchObject({ state: 'completed' });
});

test('of a job that a person names, the first 404 ends the wait', async () => {
	const { result, sent } = await wait([fault('refused', 404)], { creation: undefined });
	expect(result).toMatchObject({ kind: 'lost', job: { id: 'j1' } });
	expect(sent).toHaveLength(1);
});

test('the time-out says where the job stands and that it goes on', async () => {
	const { result, elapsed } = await wait([{ status: 'processing' }]);
	expect(elapsed).toBe(60_000);
	expect(result).toMatchObject({
		kind: 'timeout',
		message: 'Job j1 was not seen to finish within 60 seconds',
		job: { id: 'j1', state: 'processing' },
	});
	expect((result as JobError).description).toContain('It was last seen processing');
});

test('a stopped execution ends the wait at once, with the id', async () => {
	const stop = new AbortController();
	const clock = new VirtualClock();
	const { service } = fakeService([{ status: 'processing' }]);
	const waiting = waitForJob(
		followerOf(service, clock),
		{ ...awaited, startedAt: clock.elapsed() },
		{ timeoutMs: 60_000, signal: stop.signal },
	).catch((error: unknown) => error);
	await clock.advance(7000);
	stop.abort();
	expect(await waiting).toMatchObject({ kind: 'stopped', job: { id: 'j1' } });
});

test('a job of unknown origin at an address that does not answer is not waited for', async () => {
	const { result, elapsed } = await wait([fault('unreachable')], { creation: undefined });
	expect(result).toMatchObject({ name: 'ServiceError', outcome: 'unreachable' });
	expect(elapsed).toBe(0);
});
