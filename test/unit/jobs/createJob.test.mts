import { createJob, isOutcomeUnknown } from '../../../nodes/shared/jobs/createJob.ts';
import { GENERATE_IMAGE, GENERATE_IMAGE_UNIFIED } from '../../../nodes/shared/spec/images.ts';
import type { CreateOperation } from '../../../nodes/shared/spec/types.ts';
import { fakeService, fault } from '../../support/fakeService.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

const request = { method: 'POST' as const, path: '/x', body: {} };

const create = async (operation: CreateOperation, answer: unknown, settings = {}) => {
	const { service, sent } = fakeService([answer], settings);
	const job = await createJob(service, operation, request, new VirtualClock()).catch(
		(error: unknown) => error,
	);
	return { job, sent };
};

test('the documented answer', async () => {
	const { job } = await create(GENERATE_IMAGE, {
		success: true,
		data: { generation_id: 'g1', status: 'processing', credits_used: 8, credits_remaining: 92 },
	});
	expect(job).toMatchObject({
		id: 'g1',
		status: { path: '/api/v1/generate/g1/' },
		creation: { credits_used: 8 },
	});
});

describe('an answer that is not shown', () => {
	test.each([
		[{ generation_id: 'a' }, '/api/v1/generate/a/'],
		[{ data: { generation_id: 'a' } }, '/api/v1/generate/a/'],
		[{ id: 'b', task_id: 't', generation_id: 'a' }, '/api/v1/generate/a/'],
	])('%j is read by the documented route', async (answer, path) => {
		const { job } = await create(GENERATE_IMAGE_UNIFIED, answer);
		expect(job).toMatchObject({ status: { path } });
	});

	test.each([[{ task_id: 7 }], [{ job_id: '7', id: 'x' }], [{ data: { id: '7' } }]])(
		'%j is read by the path of the credential',
		async (answer) => {
			const settings = { imageStatusPath: '/jobs/{id_of_job}' };
			const { job } = await create(GENERATE_IMAGE_UNIFIED, answer, settings);
			expect(job).toMatchObject({ id: '7', status: { path: '/jobs/7' } });
		},
	);

	test('without that path the job is kept, with the reason', async () => {
		const { job } = await create(GENERATE_IMAGE_UNIFIED, { task_id: 't' });
		expect(job).toMatchObject({ id: 't', status: { unknown: expect.stringContaining('task_id') } });
	});

	test('nor with a path that has no place for the identifier', async () => {
		const settings = { imageStatusPath: '/jobs/' };
		const { job } = await create(GENERATE_IMAGE_UNIFIED, { task_id: 't' }, settings);
		expect(job).toMatchObject({
			id: 't',
			status: { unknown: expect.stringContaining('no place') },
		});
	});

	test('an open point that the table does not have loses no job either', async () => {
		const operation = { ...GENERATE_IMAGE_UNIFIED, status: { openPoint: 'missing' } };
		const { job } = await create(operation, { task_id: 't' });
		expect(job).toMatchObject({ id: 't', status: { unknown: expect.any(String) } });
	});

	test('an identifier that would change the path loses no job either', async () => {
		const { job } = await create(GENERATE_IMAGE_UNIFIED, { generation_id: '..' });
		expect(job).toMatchObject({ id: '..', status: { unknown: '".." is not an identifier' } });
	});
});

test.each([{ success: true }, [], 'ok', { id: '' }, null])(
	'%j has no identifier: the job may be paid for',
	async (answer) => {
		const { job, sent } = await create(GENERATE_IMAGE, answer);
		expect(isOutcomeUnknown(job)).toBe(true);
		expect((job as { description: string }).description).toContain('may exist and be paid for');
		expect(sent).toHaveLength(1);
	},
);

test.each([
	['notSent', undefined, false],
	['refused', 402, false],
	['unknown', 500, true],
	['unknown', undefined, true],
] as const)('%s %p: doubtful %p, and sent once', async (outcome, status, doubtful) => {
	const { job, sent } = await create(GENERATE_IMAGE, fault(outcome, status));
	expect(isOutcomeUnknown(job)).toBe(doubtful);
	expect(sent).toHaveLength(1);
});
