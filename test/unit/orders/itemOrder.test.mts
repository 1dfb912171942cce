import type { Job } from '../../../nodes/shared/orders/job.ts';
import type { JobContext, JobSpec } from '../../../nodes/shared/orders/jobContext.ts';
import {
	doubtOf,
	findJob,
	isPaidFor,
	orderOf,
	remember,
} from '../../../nodes/shared/orders/itemOrder.ts';
import { Ledger } from '../../../nodes/shared/orders/ledger.ts';
import type { OrderEvent } from '../../../nodes/shared/orders/order.ts';
import type { ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';

/** What the ledger has of one item, and when a person has ordered it anew. */

const specOf = (prompt: string): JobSpec => ({
	itemIndex: 0,
	operation: GENERATE_IMAGE,
	values: {},
	request: { method: 'POST', path: '/api/v1/generate/', body: { prompt } },
	wait: true,
	timeoutMs: 60_000,
	maxRunning: 5,
	failuresAreItems: false,
});

const CAT = specOf('cat');

const jobNamed = (id: string, creation = {}): Job => ({
	id,
	status: { path: '/s', urlFields: {} },
	creation,
	startedAt: 0,
});

const PLACE = { release: () => {} };

/** A run of the item with the same ledger as those before it. */
function runs() {
	const context = {};
	return (more: Partial<JobContext> = {}): JobContext => {
		const run = {
			ledger: new Ledger(context, { index: 0 }),
			executionId: 'first',
			isRetry: false,
			parameters: 'typed',
			account: { loop: { occupy: () => PLACE }, detached: { free: () => {} } },
			...more,
		};
		return run as unknown as JobContext;
	};
}

const BY_PERSON = { executionId: 'second', isRetry: true };

const created = (job: Job): OrderEvent => ({ kind: 'created', job });
const ended = (job: Job, as: 'completed' | 'failed'): OrderEvent[] => [
	created(job),
	{ kind: 'ended', job, as },
];
const lost = (unknownOutcome: string, more = {}): OrderEvent => ({
	kind: 'lost',
	unknownOutcome,
	...more,
});

const rememberAll = (run: JobContext, events: readonly OrderEvent[]) => {
	for (const event of events) remember(run, CAT, event);
};

/** What has been replaced once all of this has happened, one after the other. */
function replacedBy(...events: OrderEvent[]) {
	const run = runs()();
	rememberAll(run, events);
	return run.ledger.find(0, CAT.request)?.replaced;
}

test('an order is kept with who made it and what was asked for', () => {
	const run = runs()();
	remember(run, CAT, created(jobNamed('a')));
	expect(run.ledger.find(0)).toEqual({
		state: 'running',
		job: jobNamed('a'),
		executionId: 'first',
		parameters: 'typed',
		request: expect.stringMatching(/^[0-9a-f]{64}$/),
	});
});

test('the same job once more, with its end, replaces nothing', () => {
	const job = jobNamed('a');
	expect(replacedBy(...ended(job, 'completed'))).toBeUndefined();
});

test('what other jobs have replaced stays named, the oldest first', () => {
	const first = jobNamed('a', { generation_id: 'a', task_id: 't' });
	expect(replacedBy(created(first), created(jobNamed('b')), created(jobNamed('c')))).toEqual([
		{ job: 'a (task_id t)' },
		{ job: 'b' },
	]);
});

test('a creation in doubt stays named, with what was answered', () => {
	const unread = lost('no identifier', { answer: '{"ok":1}' });
	expect(replacedBy(lost('no answer'), unread, created(jobNamed('a')))).toEqual([
		{ unknownOutcome: 'no answer' },
		{ unknownOutcome: 'no identifier. The service answered: {"ok":1}' },
	]);
});

test('a job that may be running has a place, one that has ended has none', () => {
	const run = runs()();
	expect(findJob(run, CAT)).toBeUndefined();
	remember(run, CAT, created(jobNamed('a')));
	expect(findJob(run, CAT)).toEqual({ job: jobNamed('a'), place: PLACE });
	rememberAll(run, ended(jobNamed('a'), 'failed'));
	expect(findJob(run, CAT)).toEqual({ job: jobNamed('a') });
});

test.each([
	[{}, /^The job may exist and be paid for: look for it .* orders it anew\.$/],
	[{ answer: '<p>', isAccepted: false }, /orders it anew\.$/],
	[{ answer: '{"ok":1}', isAccepted: true }, /orders it anew\. If a field .*\.$/],
])('a creation in doubt, answered %j, is an error and not sent again', (answered, description) => {
	const run = runs()();
	remember(run, CAT, lost('no answer', answered));
	const find = () => findJob(run, CAT);
	expect(find).toThrow('Not sent again, since the first try may have been paid for: no answer');
	const error = caught(find);
	expect(error.description).toMatch(description);
	expect(error).toMatchObject({ outcome: 'unknown' });
});

const caught = (work: () => unknown): ServiceError => {
	try {
		work();
	} catch (error) {
		return error as ServiceError;
	}
	throw new Error('No error');
};

describe('by Retry execution', () => {
	const job = jobNamed('a');

	const running = [created(job)];
	const other = { parameters: 'other' };

	test.each<[string, 'the same' | 'a new', OrderEvent[], Partial<JobContext>, JobSpec]>([
		['a job that completed', 'the same', ended(job, 'completed'), {}, CAT],
		['a job that failed', 'a new', ended(job, 'failed'), {}, CAT],
		['a creation in doubt', 'a new', [lost('no answer')], {}, CAT],
		['another request, typed the same', 'the same', running, {}, specOf('dog')],
		['the same request, typed otherwise', 'the same', running, other, CAT],
		['another request, typed otherwise', 'a new', running, other, specOf('dog')],
	])('%s is %s order', (_, order, events, more, jobSpec) => {
		const open = runs();
		rememberAll(open(), events);
		const found = orderOf(open({ ...BY_PERSON, ...more }), jobSpec);
		expect(found === undefined).toBe(order === 'a new');
	});

	test.each([
		{ executionId: 'first', isRetry: true },
		{ executionId: 'second', isRetry: false },
	])('and by nothing else: %j', (more) => {
		const open = runs();
		rememberAll(open(), ended(job, 'failed'));
		expect(orderOf(open(more), CAT)).toMatchObject({ job });
	});
});

describe('an item needs none of its files where its job is waited for whatever its request has become', () => {
	const job = jobNamed('a');
	const RUNNING = [created(job)];
	const OTHERWISE = { parameters: 'typed otherwise' };

	test.each<[paidFor: boolean, situation: string, events: OrderEvent[], by: Partial<JobContext>]>([
		[false, 'nothing was ordered', [], {}],
		[true, 'it runs', RUNNING, {}],
		[true, 'it runs, and an expression has come out otherwise', RUNNING, OTHERWISE],
		[true, 'it has ended', ended(job, 'completed'), {}],
		[true, 'it has failed, and n8n tries again', ended(job, 'failed'), {}],
		[false, 'no answer names it', [lost('no answer')], {}],
		[true, 'a person retries, and it runs', RUNNING, BY_PERSON],
		[true, 'a person retries, and it has ended', ended(job, 'completed'), BY_PERSON],
		[false, 'a person retries, and it has failed', ended(job, 'failed'), BY_PERSON],
		[false, 'a person retries another node', RUNNING, { ...BY_PERSON, ...OTHERWISE }],
		[
			true,
			'the execution that a person has started tries again',
			ended(job, 'failed'),
			{ ...BY_PERSON, executionId: 'first' },
		],
	])('%s: %s', (paidFor, _, events, by) => {
		const open = runs();
		rememberAll(open(), events);
		expect(isPaidFor(open(by), 0, false)).toBe(paidFor);
	});

	test('not of an agent, whose orders are known by their requests', () => {
		const open = runs();
		rememberAll(open(), RUNNING);
		expect(isPaidFor(open(), 0, true)).toBe(false);
	});
});

test('an order in doubt is not sent, and says why; any other may be, or has its job', () => {
	const open = runs();
	expect(doubtOf(open(), CAT)).toBeUndefined();
	remember(open(), CAT, lost('no answer'));
	expect(doubtOf(open(), CAT)).toMatchObject({
		message: 'Not sent again, since the first try may have been paid for: no answer',
		outcome: 'unknown',
	});
	expect(doubtOf(open(BY_PERSON), CAT)).toBeUndefined();
	remember(open(), CAT, created(jobNamed('a')));
	expect(doubtOf(open(), CAT)).toBeUndefined();
});
