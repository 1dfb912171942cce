import type { JobSnapshot } from '../../../nodes/shared/jobs/job.ts';
import { failed, lost, stopped, timedOut } from '../../../nodes/shared/jobs/jobErrors.ts';
import { fault } from '../../support/fakeService.mts';

/** What a person reads of a paid job that came to no result: its identifier, and how to go on. */

const JOB: JobSnapshot = { id: 'j1', state: 'processing', record: {}, waitedMs: 0 };

const MADE: JobSnapshot = { ...JOB, creation: { task_id: 'j1', generation_id: 'g1' } };

/** The identifier and the others of the creation, and all that it said. */
const NAMED = 'j1 (generation_id g1)';
const ANSWERED = ' The answer to its creation was: {"task_id":"j1","generation_id":"g1"}';

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
		description: `The service could not make this media. Change the prompt or try again: that starts a new paid job. A new run pays for all its items, also for those that are finished.${ANSWERED}`,
		job,
	});
});

const NOT_SENT = fault('notSent');
const REFUSED = fault('refused', 404).with({ description: 'Check the ID.' });

test.each([
	['processing', undefined, ' It was last seen processing.'],
	[undefined, undefined, ''],
	[undefined, NOT_SENT, ''],
	['queued', REFUSED, ' It was last seen queued. The last status check failed: fault 404.'],
])('timed out, last seen %s, with %s', (state, met, more) => {
	const job = { ...MADE, state };
	expect(fields(timedOut(job, 90_000, met))).toEqual({
		kind: 'timeout',
		message: `Job ${NAMED} has not finished within 90 seconds`,
		description: `The job is paid for and goes on at the service.${more} Read it later with Job > Wait for Completion and this ID, or raise Options > Timeout and use Retry on this execution, which waits for the same job. A new run pays for a new one.${ANSWERED}`,
		job,
	});
});

test('stopped', () => {
	expect(fields(stopped(MADE))).toEqual({
		kind: 'stopped',
		message: `Stopped while job ${NAMED} was running`,
		description: `The job is paid for and goes on at the service. Read it later with Job > Get Status and this ID.${ANSWERED}`,
		job: MADE,
	});
});

test.each([
	[
		MADE,
		NAMED,
		`The job is paid for, and may go on at the service. Read it later with Job > Get Status and this ID. Check the ID.${ANSWERED}`,
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
