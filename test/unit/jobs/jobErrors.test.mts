import type { JobSnapshot } from '../../../nodes/shared/jobs/job.ts';
import { failed, lost, stopped, timedOut } from '../../../nodes/shared/jobs/jobErrors.ts';
import type { ServiceError } from '../../../nodes/shared/service/serviceError.ts';
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
		description:
			'The job was charged when it was created. To order it again, with the same or another prompt, is a new job, and costs again.',
		job,
	});
});

const NOT_SENT = fault('notSent');
const REFUSED = fault('refused', 404).with({ description: 'Check the ID.' });

const AT = Date.UTC(2026, 0, 1, 9);
const WAY_BACK =
	'Read it later with Job > Wait for Completion and this ID. Or raise Options > Timeout, which counts from the creation of the job, and retry the execution: that waits for the same job. A new run pays for a new one.';

test.each([['processing', ' It was last seen processing, at 2026-01-01T09:00:00.000Z.']])(
	'timed out, seen %s in the end',
	(state, more) => {
		const job = { ...MADE, state };
		const timeUp = { timeoutMs: 90_000, seen: { state, at: AT }, isAnswered: true };
		expect(fields(timedOut(job, timeUp))).toEqual({
			kind: 'timeout',
			message: `Job ${NAMED} has not finished within 90 seconds`,
			description: `The job is paid for and goes on at the service.${more} ${WAY_BACK}`,
			job,
		});
	},
);

test.each([
	[{ state: 'queued', at: AT }, ' It was last seen queued, at 2026-01-01T09:00:00.000Z.'],
	[
		{ state: 'completed', at: AT, isListed: true },
		' It was last seen completed in the generation history, at 2026-01-01T09:00:00.000Z.',
	],
	[{ at: AT }, ''],
])('timed out without an answer, last seen %j', (seen, more) => {
	const timeUp = { timeoutMs: 90_000, seen, isAnswered: false };
	const at = (met?: ServiceError) => fields(timedOut(MADE, { ...timeUp, fault: met })).description;
	expect(timedOut(MADE, timeUp).message).toBe(
		`The service did not tell within 90 seconds whether job ${NAMED} has finished`,
	);
	const text = `The job is paid for and may have finished since.${more}`;
	expect(at(fault('unknown', 503))).toBe(
		`${text} The last status check failed: fault 503. ${WAY_BACK}`,
	);
	expect(at(NOT_SENT)).toBe(`${text} ${WAY_BACK}`);
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
		`The job is paid for, and may go on at the service. Read it later with Job > Get Status and this ID. Check the ID.`,
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
