import type { JobSnapshot } from '../../../nodes/shared/orders/job.ts';
import { failed, lost, stopped, timedOut } from '../../../nodes/shared/orders/jobErrors.ts';
import { fault } from '../../support/fakeService.mts';

/** What a person reads of a paid job that came to no result: its identifier, and how to go on. */

const JOB: JobSnapshot = { id: 'j1', state: 'processing', record: {}, waitedMs: 0 };

const MADE: JobSnapshot = { ...JOB, creation: { task_id: 'j1', generation_id: 'g1' } };

/** The identifier, and the others of the creation. */
const NAMED = 'j1 (generation_id g1)';

const fields = ({ message, description, kind, job }: ReturnType<typeof failed>) => ({
	message,
	description,
	kind,
	job,
});

test.each([
	[{}, ''],
	[{ error_message: 'no cats' }, ': no cats'],
])('failed, with the record %j', (record, reason) => {
	const job = { ...MADE, record };
	expect(fields(failed(job))).toEqual({
		kind: 'failed',
		message: `Job ${NAMED} failed${reason}`,
		description: 'The job was charged when it was created; another one costs again.',
		job,
	});
});

const NOT_SENT = fault('notSent');
const REFUSED = fault('refused', 404).with({ description: 'Check the ID.' });

const WAY_BACK =
	'Read it with Job > Wait for Completion and this ID, or raise Options > Timeout and retry this execution.';

test.each<[{ state?: string; isAnswered: boolean; fault?: ReturnType<typeof fault> }, string]>([
	[{ state: 'processing', isAnswered: true }, ' It was last seen processing.'],
	[{ state: undefined, isAnswered: true }, ' Its status has no state.'],
	[{ isAnswered: false }, ''],
	[{ isAnswered: false, fault: NOT_SENT }, ''],
	[
		{ isAnswered: false, fault: fault('unknown', 503) },
		' The last status check failed: fault 503.',
	],
])('timed out: %j', ({ state, ...timeUp }, more) => {
	const job = { ...MADE, state };
	expect(fields(timedOut(job, { timeoutMs: 90_000, state, ...timeUp }))).toEqual({
		kind: 'timeout',
		message: `Job ${NAMED} was not seen to finish within 90 seconds`,
		description: `The job is paid for, and may go on at the service.${more} ${WAY_BACK}`,
		job,
	});
});

test('stopped', () => {
	expect(fields(stopped(MADE))).toEqual({
		kind: 'stopped',
		message: `Stopped while job ${NAMED} was running`,
		description: `The job is paid for and goes on at the service. Read it later with Job > Get Status and this ID.`,
		job: MADE,
	});
});

test.each([
	[
		MADE,
		NAMED,
		'The job is paid for: read it later with Job > Get Status and this ID. Check the ID.',
	],
	// Whether another has paid for it is not known.
	[JOB, 'j1', 'Check the ID.'],
])('its status cannot be read: %j', (job, name, description) => {
	expect(fields(lost(job, REFUSED))).toEqual({
		kind: 'lost',
		message: `The status of job ${name} cannot be read: fault 404`,
		description,
		job,
	});
});
