import { createJob, isOutcomeUnknown } from '../../../nodes/shared/orders/startJob.ts';
import { GENERATE_IMAGE, GENERATE_IMAGE_UNIFIED } from '../../../nodes/shared/spec/images.ts';
import type { CreateOperation } from '../../../nodes/shared/spec/operation.ts';
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
	expect(job).toEqual({
		id: 'g1',
		status: {
			path: '/api/v1/generate/g1/',
			stateField: 'status',
			urlFields: { video: 'video_url' },
			isInHistory: true,
		},
		creation: {
			generation_id: 'g1',
			status: 'processing',
			credits_used: 8,
			credits_remaining: 92,
		},
		startedAt: Date.UTC(2026, 0, 1),
	});
});

describe('an answer that is not shown', () => {
	test.each([
		[{ generation_id: 'a' }],
		[{ data: { generation_id: 'a' } }],
		[{ id: 'b', task_id: 't', generation_id: 'a' }],
	])('%j is looked for as a job of its family', async (answer) => {
		const { job } = await create(GENERATE_IMAGE_UNIFIED, answer);
		expect(job).toMatchObject({ id: 'a', status: { open: 'imageUnified' } });
	});

	test.each([[{ task_id: 7 }], [{ job_id: '7', id: 'x' }], [{ data: { id: '7' } }]])(
		'%j is looked for, too',
		async (answer) => {
			const { job } = await create(GENERATE_IMAGE_UNIFIED, answer);
			expect(job).toMatchObject({ id: '7', status: { open: 'imageUnified' } });
		},
	);

	test('without that path the job is kept, to be looked for', async () => {
		const { job } = await create(GENERATE_IMAGE_UNIFIED, { task_id: 't' });
		expect(job).toMatchObject({ id: 't', status: { open: 'imageUnified' } });
	});

	test('an open point that the table does not have loses no job either', async () => {
		const operation = { ...GENERATE_IMAGE_UNIFIED, status: { openPoint: 'missing' } };
		const { job } = await create(operation, { task_id: 't' });
		expect(job).toMatchObject({
			id: 't',
			status: { open: '' },
		});
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

test.each([undefined, '<html>'])(
	'a doubt says what to do, and keeps what was answered: %j',
	async (answer) => {
		const { job } = await create(GENERATE_IMAGE, fault('unknown', 500).with({ answer }));
		expect(job).toHaveProperty(
			'description',
			expect.stringContaining('look for it with Job > Get History'),
		);
		expect(job).toHaveProperty('answer', answer);
	},
);

test('an answer that says it has failed is doubt, whatever identifier it has', async () => {
	const answer = { success: false, data: { generation_id: 'g1' } };
	const { job } = await create(GENERATE_IMAGE, answer);
	expect(job).toMatchObject({
		message: 'The service accepted the job, but its answer has no known identifier',
		description: expect.stringContaining('may exist and be paid for'),
		outcome: 'unknown',
		answer: '{"success":false,"data":{"generation_id":"g1"}}',
	});
});

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
