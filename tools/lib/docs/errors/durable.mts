import { versionMismatch } from '../../../../nodes/shared/durable/results.ts';
import { adviceIn, NOTHING, type ErrorEntry, type ErrorGroup } from './entry.mts';

const MISMATCH = versionMismatch(['<IDs>']);

/** Why a run waits in process instead. */
const BLOCKERS: ErrorEntry = {
	message: 'Waited in process, not durably: <reason>.',
	cases: [
		[
			'This version of n8n would lose results; durable waiting needs n8n 2.33 or later',
			'Update n8n.',
		],
		['The workflow is not saved', 'Save the workflow, and run it again.'],
		[
			'An agent waits for its tools in process',
			'An agent cannot wait in any other way. Let it start jobs with _Wait for Completion_ off, and collect them in another workflow.',
		],
		[
			'The items send files with their requests',
			'Files cannot be parked. Use URLs instead of files.',
		],
		[
			'Output by Status has three outputs, and an execution that was parked goes on by the first',
			'Turn _Output by Status_ off, and use a Switch on `status`.',
		],
		[
			'The trigger of the workflow answers when that has ended',
			'The webhook, form or chat would get its answer too early. Answer with a _Respond to Webhook_ node.',
		],
		[
			'The workflow was called with one item; if it is called once for each of several, n8n takes the results of the first call for all',
			'Call the workflow once with all items (_Run once with all items_).',
		],
		[
			'A workflow run from the command line ends with its process',
			'Run it from the editor or by its trigger.',
		],
		[
			'An evaluation waits for its workflow in process',
			'Evaluations cannot wait in any other way.',
		],
		['n8n is too busy to start an execution', 'The node tries again at the next run.'],
	],
	means:
		'A hint, not an error: _Options > Wait Mode: Durable_ is not possible here, so the node has waited in process. n8n must keep running until the jobs have ended.',
	charged: 'The jobs of the run, as usual.',
	advice:
		"Do what the table says for your reason, or choose _Wait Mode: In Process_. If n8n does not let the node start executions, the reason is in n8n's own words.",
};

export const DURABLE: ErrorGroup = {
	title: 'Durable waiting',
	intro: 'These are about _Options > Wait Mode: Durable_.',
	guide: ['Durable waiting', 'durable.md'],
	charged: 'The jobs that the error names.',
	entries: [
		BLOCKERS,
		{
			message: MISMATCH.message,
			means:
				'The installed version of the package cannot resume what another version parked. Its CHANGELOG says so.',
			advice: adviceIn(MISMATCH.description.replace('No more jobs were created. ', '')),
		},
		{
			message: 'Nothing was ordered: this is a helper of execution <number>, or an item of one',
			also: ['Nothing was ordered: this is a helper of an execution, or an item of one'],
			means:
				'A helper of a durable run was retried. n8n shows those in red that were at work when n8n ended. That is normal: another one takes its place. Under _On Error: Continue_, this is a hint, and no item goes on.',
			charged: NOTHING,
			advice:
				'Look at the execution with that number: it goes on by itself within minutes. If it does not, enter its number in _Job > Recover From Execution_.',
		},
		{
			message: 'This supervisor has done its work, and another execution has gone on with it',
			means:
				'n8n ended while a durable run waited, and a helper was replaced. n8n keeps this one, in red, because the paid jobs are found through it.',
			charged: NOTHING,
			advice: 'Nothing. Do not retry it.',
		},
		{
			message: 'This version has no durable role <role>',
			means:
				'An execution that works for a durable run was started by another version of the package, or somebody has set the parameter `durableRole` in a workflow.',
			charged: NOTHING,
			advice:
				'Remove the parameter from the workflow. If you have not set it, you need to do nothing.',
		},
		{
			message: 'This job was not created: nobody worked for the execution any more',
			means:
				'_Finish Execution_ has let an abandoned execution go on. This item had no job by then.',
			charged: NOTHING,
			advice: 'Run the workflow again for this item.',
		},
	],
};
