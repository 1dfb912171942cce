import { createJob } from '../../../nodes/shared/orders/startJob.ts';
import { waitForJob } from '../../../nodes/shared/orders/waitForJob.ts';
import type { JobError } from '../../../nodes/shared/orders/job.ts';
import { jobOutput } from '../../../nodes/shared/output/jobOutput.ts';
import { refusal, type ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import type { CreateOperation } from '../../../nodes/shared/spec/operation.ts';
import { fakeService, fault } from '../../support/fakeService.mts';
import { followerOf } from '../../support/follower.mts';
import { creationNamed } from '../../support/operations.mts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { nodeError } from '../../../nodes/shared/run/messages.ts';

/** Answers whose shape the document does not show, and what is read in them. */

const VIDEO_STUDIO = creationNamed('videoStudio.generate');
const OPEN = creationNamed('image.generateUnified');
const GENERATION = creationNamed('image.generate');

const URL_1 = 'https://cdn.example/1.mp4';

const create = async (
	operation: CreateOperation,
	answer: unknown,
	settings: Record<string, string> = {},
) =>
	await createJob(
		fakeService([answer], settings).service,
		operation,
		{ method: 'POST', path: '/x', body: {} },
		new VirtualClock(),
	);

const refused = async (...args: Parameters<typeof create>) =>
	(await create(...args).catch((error: unknown) => error)) as ServiceError;

interface Awaiting {
	creation?: Record<string, unknown>;
	stateField?: string;
	settings?: Record<string, string>;
	timeoutMs?: number;
}

/** The end of the job, after the listed answers of its status route. */
async function end(answers: unknown[], awaiting: Awaiting = {}) {
	const clock = new VirtualClock();
	const { settings = {}, timeoutMs = 60_000, ...job } = awaiting;
	const { service, sent } = fakeService(answers, settings);
	const startedAt = clock.elapsed();
	const result: unknown = await clock.run(
		waitForJob(
			followerOf(service, clock),
			{ id: 'j1', path: '/status/j1/', startedAt, ...job },
			{ timeoutMs },
		).catch((error: unknown) => error),
	);
	return { result, sent, elapsed: clock.elapsed() - startedAt };
}

describe('the record is data and what stands beside it', () => {
	test.each([
		['beside', { success: true, job_id: 'J-1', data: { queue_position: 3 } }],
		['inside', { success: true, data: { job_id: 'J-1', queue_position: 3 } }],
		['beside a list', { success: true, job_id: 'J-1', data: [] }],
		['in a list of one', { success: true, data: [{ job_id: 'J-1' }] }],
		['in a body that is a list of one', [{ job_id: 'J-1' }]],
		['in both, the inner one of a job', { job_id: 'request-7', data: { job_id: 'J-1' } }],
		['beside, with an empty one inside', { job_id: 'J-1', data: { job_id: null } }],
	])('identifier %s', async (_, answer) => {
		expect(await create(VIDEO_STUDIO, answer)).toMatchObject({ id: 'J-1' });
	});

	test.each([
		['state beside', { status: 'completed', data: { video_url: URL_1 } }],
		['state inside', { video_url: URL_1, data: { status: 'completed' } }],
		['an envelope with a status of its own', { status: 'success', data: { status: 'completed' } }],
		['a record whose status is no state', { status: 'completed', data: { status: 'ok' } }],
		['a list of one', { success: true, data: [{ status: 'completed' }] }],
	])('%s ends the wait', async (_, answer) => {
		const { result } = await end([answer]);
		expect(result).toMatchObject({ state: 'completed' });
	});

	test('result URLs, credits and the reason of a failure are found on either side', async () => {
		const body = { credits_used: 8, video_url: URL_1, data: { status: 'completed' } };
		const { result } = await end([body]);
		expect(
			jobOutput(result as never, { mediaType: 'video' }, { simplify: true, resultField: '' }),
		).toMatchObject({ mediaUrl: URL_1, creditsUsed: 8 });
		const failed = await end([{ error_message: 'too dark', data: { status: 'failed' } }]);
		expect(failed.result).toMatchObject({ kind: 'failed', message: 'Job j1 failed: too dark' });
	});

	test('of two values with one name, that in data counts, if it says anything', async () => {
		const data = { status: 'completed', id: 'j1', note: null };
		const { result } = await end([{ success: true, status: 'ok', id: 'j1', note: 'n', data }]);
		expect(result).toMatchObject({
			record: { status: 'completed', id: 'j1', note: 'n' },
		});
	});
});

describe('the state', () => {
	test.each([
		[{ status: 'ok', state: 'completed' }],
		[{ status: 'COMPLETED' }],
		[{ status: ' Completed ' }],
		[{ status: 'success', phase: 'Completed' }],
		[{ status: 200, job_status: 'completed' }],
		[{ prompt: 'Failed', state: 'completed' }],
	])('of %j is completed', async (record) => {
		expect((await end([record])).result).toMatchObject({ state: 'completed' });
	});

	test('is that of the documented field where the route has one', async () => {
		const answers = [{ status: 'rendering', last_step: 'completed' }, { status: 'FAILED' }];
		const { result, sent } = await end(answers, { stateField: 'status' });
		expect(result).toMatchObject({ kind: 'failed' });
		expect(sent).toHaveLength(2);
	});

	test('is shown as it is where it is none of the four', async () => {
		const { result } = await end([{ job_status: 'Rendering' }]);
		expect(result).toMatchObject({ kind: 'timeout', job: { state: 'Rendering' } });
	});

	test('is read where the credential says, if the document does not', async () => {
		const record = { status: 'completed', job: { step: 'PROCESSING' } };
		const settings = { state: 'data.job.step' };
		const answers = [{ data: record }, { data: { job: { step: 'Failed' } } }];
		const { sent, result } = await end(answers, { settings });
		expect(sent).toHaveLength(2);
		expect(result).toMatchObject({ kind: 'failed' });
		const documented = await end([record], { settings, stateField: 'status' });
		expect(documented.result).toMatchObject({ state: 'completed' });
	});
});

describe('the identifier', () => {
	const both = { generation_id: 'G-1', job_id: 'J-1' };

	test('is the documented one of the operation or its route', async () => {
		expect(await create(VIDEO_STUDIO, { data: both })).toMatchObject({
			id: 'J-1',
			status: { path: '/api/v1/video-studio/status/J-1/' },
		});
		const task = { generation_id: 'G-1', data: { task_id: 'T-1' } };
		const family = await create(creationNamed('vidA31.generate'), task);
		expect(family).toMatchObject({ id: 'T-1', status: { path: '/vidA31/api/status/T-1/' } });
		expect(await create(GENERATION, { data: both })).toMatchObject({ id: 'G-1' });
	});

	test('may have a name that the credential tells, where the document does not name it', async () => {
		const settings = { identifier: 'data.task.taskId' };
		const answer = { success: true, id: 'x', data: { task: { taskId: 77 } } };
		expect(await create(OPEN, answer, settings)).toMatchObject({ id: '77' });
		expect(await create(OPEN, { data: { job_id: 'J-1' } }, settings)).toMatchObject({ id: 'J-1' });
		expect(await create(GENERATION, { ...answer, ...both }, settings)).toMatchObject({ id: 'G-1' });
		const text = { identifier: 'data' };
		expect(await create(OPEN, { data: 'J-9' }, text)).toMatchObject({ id: 'J-9' });
		const list = { identifier: 'data[0].key' };
		expect(await create(OPEN, { data: [{ key: 'J-8' }] }, list)).toMatchObject({ id: 'J-8' });
	});

	test.each(['constructor.name', '__proto__.x', 'data.length', ''])(
		'is no property of the language: %j',
		async (identifier) => {
			expect(await refused(OPEN, { data: {} }, { identifier })).toMatchObject({
				outcome: 'unknown',
			});
		},
	);
});

describe('an answer without an identifier that is known', () => {
	const answer = { data: { taskId: 'T-77', filler: 'x'.repeat(3000), last: 'the end' } };

	test('is in the error as a whole, with what to do, and the Base URL is not blamed', async () => {
		const error = await refused(OPEN, answer);
		const { messages } = nodeError({ getNode: () => ({}) as never }, error);
		expect(error.outcome).toBe('unknown');
		expect(messages.join()).toContain('"taskId":"T-77"');
		expect(messages.join()).toContain('the end');
		expect(error.description).toContain('Field: Job Identifier');
		expect(`${error.message} ${error.description}`).not.toContain('Base URL');
		expect(error.message.length).toBeLessThan(200);
	});

	test('is bounded and clean', async () => {
		const error = await refused(OPEN, { taskId: 'a\u202eb', filler: 'x'.repeat(1e6) });
		const [answered = ''] = nodeError({ getNode: () => ({}) as never }, error).messages;
		expect(answered.length).toBeLessThan(6000);
		expect(answered).toContain('"taskId":"a b"');
		expect(answered).not.toMatch(/[\p{Cc}\u202e]/u);
	});
});

describe('whatever the creation answered', () => {
	const creation = { generation_id: 'G-1', job_id: 'J-1', request_id: 'R-1' };

	test.each([
		['a failure', [{ status: 'failed' }]],
		['a time-out', [{ status: 'processing' }]],
		['a status that cannot be read', [fault('refused', 401)]],
	])('is part of the error after %s', async (_, answers) => {
		const { result } = await end(answers, { creation });
		const { messages } = nodeError({ getNode: () => ({}) as never }, result);
		expect(messages).toContain(
			`When it was created, the service answered: ${JSON.stringify(creation)}`,
		);
		expect((result as JobError).message).toContain('generation_id G-1, job_id J-1');
		expect((result as JobError).message).not.toContain('R-1');
	});
});

test.each([400, 402])('a status of %i says nothing of what a paid job has cost', async (status) => {
	const { result } = await end([refusal(status, '{"error": "No."}')], { creation: {} });
	const { message, description } = result as JobError;
	expect(`${message} ${description}`).not.toMatch(/nothing was charged/i);
	expect(description).toContain('The job is paid for');
	expect(description).toContain('The service said: No.');
	const created = await refused(OPEN, refusal(status, '{"error": "No."}'));
	expect(created.description).toContain('Nothing was charged');
});

describe('a job that the service does not know', () => {
	const unknown = fault('refused', 404);

	test('shortly after its creation is waited for', async () => {
		const answers = [unknown, unknown, { status: 'completed' }];
		const { result, elapsed } = await end(answers, { creation: {} });
		expect(result).toMatchObject({ state: 'completed' });
		expect(elapsed).toBeLessThan(5000);
	});

	test('later is lost', async () => {
		const { result, elapsed } = await end([unknown], { creation: {}, timeoutMs: 600_000 });
		expect(result).toMatchObject({ kind: 'lost', job: { id: 'j1' } });
		expect(elapsed).toBeGreaterThanOrEqual(30_000);
		expect(elapsed).toBeLessThan(45_000);
	});

	test('is lost at once where a person named it, unless it has been seen', async () => {
		const { result, sent } = await end([unknown, { status: 'completed' }]);
		expect(result).toMatchObject({ kind: 'lost' });
		expect(sent).toHaveLength(1);
		const seen = await end([{ status: 'processing' }, unknown, { status: 'completed' }]);
		expect(seen.result).toMatchObject({ state: 'completed' });
	});
});
