import type { ErrorEntry, ErrorGroup } from './entry.mts';

/** A number that leads to no jobs. */
const number = (reason: string, means: string, advice: string): ErrorEntry => ({
	message: `Execution ID (executionId) is "<number>": ${reason}`,
	means,
	advice,
});

const ADD_THERE = 'Add _Job > Recover From Execution_ to the workflow of that execution.';

export const RECOVERY: ErrorGroup = {
	title: 'Recovering paid jobs',
	intro:
		'_Job > Recover From Execution_ gets the results of the paid jobs of an execution that was stopped, that has failed, or that waits durably.',
	guide: ['Get paid jobs back', 'money.md#get-paid-jobs-back'],
	charged: 'Nothing by recovering. Jobs that the execution has started stay paid for.',
	entries: [
		{
			message: 'Execution ID (executionId) must be a number, such as 231, but is "<text>"',
			means: 'You may have entered the ID of a job or of a workflow.',
			advice:
				'Open the execution under _Executions_: its number follows _ID#_ at the top, and is the last part of the address.',
		},
		number(
			'n8n has no such execution',
			'The number is wrong, or n8n has deleted the execution.',
			'Check the number. If n8n has deleted it, find the jobs with _Job > Get History_.',
		),
		number(
			'<number> works for execution <number>; enter <number>',
			'Durable runs have helper executions. You have entered the number of one of them.',
			'Enter the number that the message names.',
		),
		number(
			'it is of another workflow; put this node into that workflow',
			'A node can see only the executions of its own workflow.',
			ADD_THERE,
		),
		number(
			'it was stopped, and this workflow knows none of its paid jobs. Put this node into the workflow of that execution; if it is there already, enter the number of the execution that shows "Paid jobs of execution <number>"',
			'The stopped execution had paid for nothing, n8n has been restarted since, or n8n runs in queue mode.',
			'Look under _Executions_ just above the stopped one for an execution that shows a single node, _paid jobs of execution …_, and enter its number.',
		),
		number(
			'it has not waited durably, and this workflow knows no paid jobs of it. Put this node into the workflow of that execution; n8n may also have deleted what it had stored',
			'The execution ended in another way, n8n was killed while it ran, it belongs to another workflow, or n8n has deleted what it had stored.',
			`${ADD_THERE} Otherwise find the jobs with _Job > Get History_.`,
		),
		number(
			'n8n could not read it',
			'n8n could not load the execution from its database.',
			'Look at the log of n8n, and try again.',
		),
		{
			message: 'This n8n has seen no execution of this workflow with paid jobs since it started',
			means:
				'The list of _Execution ID_ has the executions of this workflow with paid jobs that this n8n has seen stop, fail or wait since it started. In queue mode, only the workers see them, so that they are not in the list.',
			advice: 'Choose _By ID_, and enter the number of the execution.',
		},
		{
			message:
				'Execution <number>: <jobs> paid and here, <number> failed (<rows>), <number> unknown (<rows>)',
			means:
				'A hint, not an error: what came of the paid jobs; some may also be _not finished in time_ or _not read_. Rows are counted from 1, as n8n does. An unknown one is a request whose answer was lost: its job may exist.',
			advice:
				'Look at the rows that the message names: `status`, `errorMessage`, `notWaited`, `unknownOutcome`.',
		},
		{
			message: 'Execution <number> has paid for no job',
			means: 'A hint, not an error: there is nothing to recover.',
			advice: 'Nothing.',
		},
		{
			message:
				'Execution <number> is still being worked on and will finish by itself; nothing was done.',
			means: 'A hint, not an error: _Finish Execution_ is for executions that no helper works for.',
			advice: 'Wait.',
		},
		{
			message:
				'<number> rows have no job ID and go on as received: <rows>. Where such a row has unknownOutcome, its job may exist: look for it in the history or on the website before you order again.',
			means:
				'A hint, not an error: _Job > Wait for Completion_ or _Get Status_ has read the other items. _Recover From Execution_ gives such a row for a request whose outcome is unknown.',
			advice: 'What the message says.',
		},
		{
			message: 'Execution <number> cannot be finished: <reason>',
			also: [
				'Execution <number> cannot be finished: n8n could not start a new worker',
				'Execution <number> cannot be finished: n8n has deleted the executions that worked for it',
			],
			means: 'A hint, not an error. The items still contain the jobs.',
			advice:
				'Get their results with _Job > Wait for Completion_, and stop the execution that waits.',
		},
	],
};
