import { JOB_RESOURCE } from './jobs';
import type { RecoverOperation } from './types';

/** Field that names the execution. */
export const EXECUTION_ID = 'executionId';

/** Switch that lets the execution go on. */
export const FINISH_EXECUTION = 'finishExecution';

/** Added to the errors of the operation. */
export const RECOVERY_READS =
	'This operation reads what n8n has stored; it says nothing about whether jobs were paid for.';

/** Jobs of a durable run that nobody hands over; the service knows nothing of executions. */
export const RECOVER_JOBS: RecoverOperation = {
	kind: 'recover',
	resource: JOB_RESOURCE.value,
	operation: 'recover',
	label: 'Recover From Execution',
	action: 'Recover the jobs of an execution',
	description:
		'List the jobs that an execution of this workflow has paid for while it waits durably, one item each; nothing is sent to the service',
	method: 'GET',
	path: '',
	fields: [
		{
			name: EXECUTION_ID,
			label: 'Execution ID',
			type: 'text',
			presence: 'required',
			description:
				'Number of the execution that waits, e.g. 231. Open Executions in the workflow that this node is in, and there the execution that shows the whole workflow: it is the number behind ID# at its top',
		},
		{
			name: FINISH_EXECUTION,
			label: 'Finish Execution',
			type: 'toggle',
			presence: 'expected',
			default: false,
			description:
				'Whether to let the execution go on with the jobs that are paid for, where nothing works for it any more; no other jobs are created, and their items fail. Takes two minutes, in which it is made certain that nothing does',
		},
	],
};
