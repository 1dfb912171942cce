import {
	deserializeResult,
	plansIn,
	serializeResult,
	storePlans,
} from '../../../nodes/shared/durable/state.ts';
import { JobError, type JobSnapshot } from '../../../nodes/shared/jobs/job.ts';
import { InvalidValues } from '../../../nodes/shared/request/validate.ts';
import type { ItemPlan } from '../../../nodes/shared/run/run.ts';
import { ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';

/** As it comes back from n8n's database. */
const stored = <T,>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

const PLAN = {
	itemIndex: 0,
	operation: GENERATE_IMAGE,
	values: { prompt: 'cat', size: '1:1' },
	request: { method: 'POST', path: '/api/v1/generate/', body: { prompt: 'cat', size: '1:1' } },
	options: { timeout: 600, maxConcurrentJobs: 5, waitMode: 'durable' },
	read: () => 'asked n8n',
} as unknown as ItemPlan;

test('a plan comes back as it was; what it did not read before has its fallback', () => {
	const [back] = plansIn(stored(storePlans([{ value: PLAN }])));
	if (!back || !('value' in back)) throw new Error('It is lost');
	const { read, ...rest } = back.value;
	const { read: _, ...given } = PLAN;
	expect(rest).toEqual(given);
	expect(read('waitForCompletion', true)).toBe(true);
});

test.each<[string, object]>([
	['sends its values', { body: { prompt: 'cat', size: '1:1' } }],
	['sends something else', { body: { prompt: 'cat' } }],
	['sends nothing', {}],
	[
		'sends a field that has the name of one of JavaScript',
		{ body: { prototype: { constructor: 1 } } },
	],
])('a request comes back that %s', (_, body) => {
	const request = { method: 'POST', path: '/api/v1/generate/', ...body };
	const plan = { ...PLAN, itemIndex: 0, request } as ItemPlan;
	const [back] = plansIn(stored(storePlans([{ value: plan }])));
	expect(back).toMatchObject({ value: { request, itemIndex: 0 } });
	expect(back && 'value' in back && back.value.request).toEqual(request);
});

test('items with other options, or another operation, keep them', () => {
	const options = [600, 60, 600].map((timeout) => ({ ...PLAN.options, timeout }));
	const plans = options.map((one, itemIndex) => ({ ...PLAN, itemIndex, options: one }));
	const kept = storePlans(plans.map((value) => ({ value })));
	expect(kept.shared).toHaveLength(2);
	const timeouts = plansIn(stored(kept)).map(
		(plan) => 'value' in plan && plan.value.options.timeout,
	);
	expect(timeouts).toEqual([600, 60, 600]);
});

test('what a thousand items have in common is stored once', () => {
	const plansOf = (count: number) =>
		Array.from({ length: count }, (_, itemIndex) => {
			const values = { prompt: `cat ${itemIndex}`, size: '1:1' };
			const request = { ...PLAN.request, body: values };
			return { value: { ...PLAN, itemIndex, values, request } as ItemPlan };
		});
	const sizeOf = (count: number) => JSON.stringify(storePlans(plansOf(count))).length;
	const item = JSON.stringify({ prompt: 'cat 999', size: '1:1' }).length;
	expect((sizeOf(1000) - sizeOf(1)) / 999).toBeLessThan(3 * item);
});

test('a plan that could not be made comes back with its reason', () => {
	const error = new InvalidValues([{ field: 'prompt', message: 'Prompt is required' }]);
	const [back, skipped] = plansIn(stored(storePlans([{ error }, { skipped: true }])));
	expect(back).toMatchObject({
		error: {
			message: 'Prompt is required',
			description: error.description,
			retry: 'correctFirst',
		},
	});
	expect(back && 'error' in back && back.error).toBeInstanceOf(Error);
	expect(skipped).toEqual({ skipped: true });
});

const SEEN: JobSnapshot = {
	id: 'j1',
	state: 'failed',
	record: { id: 'j1', status: 'failed' },
	creation: { generation_id: 'j1' },
	waitedMs: 1234,
};

test('an error of a job keeps its job, its kind and its words', () => {
	const error = new JobError('timeout', 'Not in time', 'It goes on', SEEN);
	const { error: back } = deserializeResult(stored(serializeResult({ error }))) as {
		error: JobError;
	};
	expect(back).toBeInstanceOf(JobError);
	expect(back).toMatchObject({
		kind: 'timeout',
		message: 'Not in time',
		description: 'It goes on',
		job: SEEN,
	});
});

test.each([
	{ outcome: 'refused' as const, status: 402 },
	{ outcome: 'unknown' as const, status: undefined },
])('an error of the service keeps what is known of it: $outcome', (facts) => {
	const error = new ServiceError({ message: 'No', description: 'Why', ...facts });
	const { error: back } = deserializeResult(stored(serializeResult({ error }))) as {
		error: ServiceError;
	};
	expect(back).toBeInstanceOf(ServiceError);
	expect(back).toMatchObject({ message: 'No', description: 'Why', outcome: facts.outcome });
	expect(back.status).toBe(facts.status);
});

test('any other error keeps its words; results come back as they were', () => {
	const { error } = deserializeResult(
		stored(serializeResult({ error: new TypeError('Oops') })),
	) as { error: Error };
	expect(error).toBeInstanceOf(Error);
	expect(error).toMatchObject({ message: 'Oops', description: '' });
	expect(deserializeResult(stored(serializeResult({ value: SEEN })))).toEqual({ value: SEEN });
	expect(deserializeResult(stored(serializeResult({ skipped: true })))).toEqual({ skipped: true });
});
