import type { Job } from '../../../nodes/shared/jobs/job.ts';
import type { JobContext, JobSpec } from '../../../nodes/shared/jobs/jobContext.ts';
import { findJob, ledgerEntryOf, remember } from '../../../nodes/shared/jobs/jobEntry.ts';
import { type Entry, Ledger } from '../../../nodes/shared/jobs/ledger.ts';
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
	nonErrorOutcomes: [],
});

const CAT = specOf('cat');

const jobNamed = (id: string, creation = {}): Job => ({
	id,
	status: { path: '/s', urlFields: {} },
	creation,
	startedAt: 0,
});

const SLOT = { release: () => {} };

/** A run of the item with the same ledger as those before it. */
function runs() {
	const context = {};
	return (more: Partial<JobContext> = {}): JobContext => {
		const run = {
			ledger: new Ledger(context, { index: 0 }),
			executionId: 'first',
			isRetry: false,
			parameters: 'typed',
			account: { limiter: { occupy: () => SLOT }, detached: { free: () => {} } },
			...more,
		};
		return run as unknown as JobContext;
	};
}

const BY_PERSON = { executionId: 'second', isRetry: true };

/** What has been replaced once the entries have been remembered, one after the other. */
function replacedBy(...entries: Entry[]) {
	const run = runs()();
	for (const entry of entries) remember(run, CAT, entry);
	return run.ledger.find(0, CAT.request)?.replaced;
}

test('an order is kept with who made it and what was asked for', () => {
	const run = runs()();
	remember(run, CAT, { job: jobNamed('a') });
	expect(run.ledger.find(0)).toEqual({
		job: jobNamed('a'),
		executionId: 'first',
		parameters: 'typed',
		request: expect.stringMatching(/^[0-9a-f]{64}$/),
	});
});

test('the same job once more, with its end, replaces nothing', () => {
	const job = jobNamed('a');
	expect(replacedBy({ job }, { job, ended: 'completed' })).toBeUndefined();
});

test('what other jobs have replaced stays named, the oldest first', () => {
	const first = jobNamed('a', { generation_id: 'a', task_id: 't' });
	expect(replacedBy({ job: first }, { job: jobNamed('b') }, { job: jobNamed('c') })).toEqual([
		{ job: 'a (task_id t)' },
		{ job: 'b' },
	]);
});

test('a creation in doubt stays named, with what was answered', () => {
	const lost = { unknownOutcome: 'no answer' };
	const unread = { unknownOutcome: 'no identifier', answer: '{"ok":1}' };
	expect(replacedBy(lost, unread, { job: jobNamed('a') })).toEqual([
		{ unknownOutcome: 'no answer' },
		{ unknownOutcome: 'no identifier. The answer to its creation was: {"ok":1}' },
	]);
});

test('a job that may be running has a slot, one that has ended has none', () => {
	const run = runs()();
	expect(findJob(run, CAT)).toBeUndefined();
	remember(run, CAT, { job: jobNamed('a') });
	expect(findJob(run, CAT)).toEqual({ job: jobNamed('a'), slot: SLOT });
	remember(run, CAT, { job: jobNamed('a'), ended: 'failed' });
	expect(findJob(run, CAT)).toEqual({ job: jobNamed('a') });
});

test.each([
	[{}, /^The job may exist and be paid for: look for it .* new run for this item\.$/],
	[{ answer: '<p>', isAccepted: false }, /new run for this item\. The answer .* was: <p>$/],
	[{ answer: '{"ok":1}', isAccepted: true }, /item\. If a field .* was: \{"ok":1\}$/],
])('a creation in doubt, answered %j, is an error and not sent again', (answered, description) => {
	const run = runs()();
	remember(run, CAT, { unknownOutcome: 'no answer', ...answered });
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

	test.each<[string, 'the same' | 'a new', Entry, Partial<JobContext>, JobSpec]>([
		['a job that completed', 'the same', { job, ended: 'completed' }, {}, CAT],
		['a job that failed', 'a new', { job, ended: 'failed' }, {}, CAT],
		['a creation in doubt', 'a new', { unknownOutcome: 'no answer' }, {}, CAT],
		['another request, typed the same', 'the same', { job }, {}, specOf('dog')],
		['the same request, typed otherwise', 'the same', { job }, { parameters: 'other' }, CAT],
		['another request, typed otherwise', 'a new', { job }, { parameters: 'other' }, specOf('dog')],
	])('%s is %s order', (_, order, entry, more, jobSpec) => {
		const open = runs();
		remember(open(), CAT, entry);
		const found = ledgerEntryOf(open({ ...BY_PERSON, ...more }), jobSpec);
		expect(found === undefined).toBe(order === 'a new');
	});

	test.each([
		{ executionId: 'first', isRetry: true },
		{ executionId: 'second', isRetry: false },
	])('and by nothing else: %j', (more) => {
		const open = runs();
		remember(open(), CAT, { job, ended: 'failed' });
		expect(ledgerEntryOf(open(more), CAT)).toMatchObject({ job });
	});
});
