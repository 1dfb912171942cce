import { withJob, type JobSnapshot } from '../../../../nodes/shared/jobs/job.ts';
import { failed, lost, stopped, timedOut } from '../../../../nodes/shared/jobs/jobErrors.ts';
import { SETTINGS_PLACE } from '../../../../nodes/shared/parameters/names.ts';
import { ServiceError } from '../../../../nodes/shared/service/serviceError.ts';
import { ERROR_MESSAGE_FIELD } from '../../../../nodes/shared/spec/answers.ts';
import type { ErrorGroup } from './entry.mts';

const JOB: JobSnapshot = { id: '<job ID>', state: undefined, record: {}, waitedMs: 0 };

const REASON = '<reason>';

const timedOutMessage = (isAnswered: boolean) =>
	timedOut(JOB, { timeoutMs: NaN, seen: { at: 0 }, isAnswered }).message.replace('NaN', '<number>');

const fault = new ServiceError({ message: REASON, description: '', outcome: 'refused' });

export const WAITING: ErrorGroup = {
	title: 'Waiting for jobs',
	intro:
		'The message names the job. In a batch, the description says what became of the other rows, and the details of the error name each. With _On Error: Continue_, the ID is also in the item.',
	guide: ['Waiting, batches and limits', 'batches.md'],
	charged: 'Yes, if this run started the job.',
	entries: [
		{
			message: '<number> of <number> failed: <row>: <reason>',
			means:
				'A run of several rows. The reason is that of the first row that failed; look it up on this page. The details of the error have a line for each of the other rows, with job ID and URL.',
			charged: 'Each row that has a job, once: also one whose job has failed or goes on.',
			advice:
				'To pay only for what is missing, use _Retry with currently saved workflow_ on this execution. A retry does not read your list again: to give the row another prompt, add _Options > Prompt on Retry_. [More](money.md#retries)',
		},
		{
			message:
				'Options > Prompt on Retry has no effect in this run: it counts when an execution is retried.',
			means: 'A hint, not an error. The option is left from an earlier retry.',
			charged: 'Each row, as usual.',
			advice: 'Remove the option from the node.',
		},
		{
			message: '<row>: Options > Prompt on Retry has no effect, since the row has its job.',
			means: 'A hint, not an error. The row is finished, or its job runs: it is not ordered again.',
			charged: 'The job, once.',
			advice: 'Enter the number of the row that failed. Rows count from 1.',
		},
		{
			message: 'Options > Prompt on Retry names row <number>, but this run has <number> rows',
			means: 'There is no such row.',
			charged: 'Nothing.',
			advice: 'Enter the number of the row that failed. Rows count from 1.',
		},
		{
			message: failed({ ...JOB, record: { [ERROR_MESSAGE_FIELD]: REASON } }).message,
			also: [failed(JOB).message],
			means: "The service could not make the media. The reason is in the service's own words.",
			charged:
				'Yes, if this run started the job. Whether the service gives credits back is not documented.',
			advice:
				'Add _Options > Prompt on Retry_ with the number of the row and another prompt, save, then choose _Retry with currently saved workflow_: it orders and pays for this row only. A new run pays for all rows. To get such jobs as items instead, choose _Options > On Job Failure: Item_.',
		},
		{
			message: timedOutMessage(true),
			means: 'The job goes on at the service. The node has stopped waiting for it.',
			advice:
				'Read it later with _Job > Wait for Completion_ and its ID. Or raise _Options > Timeout_ and use _Retry with currently saved workflow_, which waits for the same job. A new run pays for a new one.',
		},
		{
			message: timedOutMessage(false),
			means:
				'The time was up, and no check of the state was answered in the five minutes after that; in a durable run, not in the next ten times that it woke up. The description has the state in which the job was last seen, and when, and what became of the last check. The job may have finished since.',
			advice:
				'Read it later with _Job > Wait for Completion_ and its ID, or raise _Options > Timeout_ and use _Retry with currently saved workflow_. A new run pays for a new one.',
		},
		{
			message: stopped(JOB).message,
			means: 'Somebody stopped the execution. The job goes on at the service.',
			advice:
				'Read it with _Job > Wait for Completion_. _Job > Recover From Execution_ gets all jobs of a stopped execution.',
		},
		{
			message: lost(JOB, fault).message,
			means:
				'The service did not report the state of the job. The reason is one of the errors in [What the service answers](#what-the-service-answers).',
			advice:
				'After a 404, check the ID, the account, and _Started With_. Otherwise correct what the reason says, and read the job with _Job > Wait for Completion_.',
		},
		{
			message: withJob(new Error(REASON), JOB).message,
			means: 'The job is there, but the node could not make an item of it.',
			advice: 'Read the job with _Job > Get Status_ and its ID.',
		},
		{
			message:
				'The job was started and is paid for, but where its status is read is not documented. Do not run this again: that pays for another job. Tried: <what was tried> Then use Job > Wait for Completion with the ID <job ID>, in a node that no other leads to.',
			means:
				'A hint, not an error. The item has it as `notWaited`. The job was started, but none of the documented places shows its status.',
			charged: 'Yes: the job was started.',
			advice: `Ask the service for the path and enter it in ${SETTINGS_PLACE}. Then add a node that no other leads to, with _Job > Wait for Completion_, paste the \`jobId\`, and choose in _Started With_ what has made the job: a node before it would run again, and pay again. [What works at once](openPoints.md#what-works-at-once) lists the operations that this affects.`,
		},
		{
			message: 'Job <job ID> was not found in any place where the node can look',
			means:
				'The service does not document how to read this kind of job, and no place that it documents has it. The description says what was tried.',
			advice: `Check _Job ID_ and _Started With_. If they are right, ask the service for the path and enter it in ${SETTINGS_PLACE}.`,
		},
		{
			message:
				'The service does not document it. Tried: <what was tried> Check Job ID and Started With, too.',
			means: 'The same, with all places that were tried.',
			advice: 'As above.',
		},
		{
			message: 'The service answered <path>, but <reason>',
			means:
				'The service does not document how to read this kind of job. The answer may be about another job.',
			advice:
				'The job is paid for, and may go on: read it with _Job > Get Status_ and its ID. If it happens again, ask the service for the path, and enter it in the credential.',
		},
		{
			message: '<path> does not list the job',
			means:
				'The jobs of this kind are read in a list of the service, which does not have this one.',
			advice:
				'The list may be late, or show only the newest jobs: use _Job > Get Status_ later. If it happens again, ask the service for the path, and enter it in the credential.',
		},
		{
			message: '<path> lists the job, but <reason>',
			means: 'The entry has the ID of the job, but describes another job, or may.',
			advice:
				'Use _Job > Get Status_ later. If it happens again, ask the service for the path, and enter it in the credential.',
		},
		{
			message:
				'<number> results were taken from the generation history, which had told the truth before, and the service did not answer the check of job <job ID> in the end. Before you rely on what was taken, read that job with Job > Get Status, and compare it with its item.',
			means:
				'A hint, not an error. The last result of a batch is compared with the status of its job. The service has not answered that for five minutes.',
			charged: 'The jobs, once each.',
			advice:
				'Read the job that the hint names with _Job > Get Status_. If its result is that of its item, the other results are very likely right, too. If it is not, read all of these jobs.',
		},
		{
			message: 'The list was not read further than <number> pages',
			means: 'A hint, not an error: the history seems to have no end.',
			charged: 'Nothing by reading.',
			advice: 'Use _Limit_ and _Offset_.',
		},
	],
};
