import { errorEntries, type ErrorEntry } from './errorEntries.mts';
import { anchorOf, GENERATED } from './markdown.mts';

/** Errors that a person meets in the same situation. */
interface ErrorGroup {
	title: string;
	/** Also says what was charged, unless an entry says otherwise. */
	intro: string;
	/** Text that precedes each message: the messages are only the rest of the error. */
	before?: string;
}

/** By the name in comments (`@error(name)`), in the order in which a person meets them. */
export const ERROR_GROUPS: Readonly<Record<string, ErrorGroup>> = {
	credential: {
		title: 'The credential and the address',
		intro:
			'Nothing was charged. The node checks the credential before it sends anything. When you save a credential, n8n tests it by reading the credit balance, which is free. See [Credential](credential.md).',
	},
	answers: {
		title: 'What the service answers',
		intro:
			'Nothing was charged by this request, unless an entry says _Charged: Perhaps_: if that request was to start a job, do as in [Starting jobs](#starting-jobs). Jobs of other items stay paid for; the error names them. The words of the service come after a colon, or in the description. While the node waits for a job, it tries again by itself after a status 429, a status from 500 on, and a broken connection.',
	},
	values: {
		title: 'Operation and values',
		intro:
			'Nothing was charged. The node checks all items before it starts the first job. With _On Error: Continue_, items with wrong values become errors, and the others go on.',
	},
	rules: {
		title: 'Rules of fields and options',
		intro:
			'Nothing was charged. These errors begin with the field or option, and often end with its value; several are separated by semicolons. If the value is an expression, look at what it gives for the item that the error names. [Reference](reference.md) has the rules of every field.',
		before: '<field or option> ',
	},
	guards: {
		title: 'Before paying: the guards',
		intro:
			'Nothing was charged. _Options > Max Credits per Run_ and _Check Balance_ end a run before its first job. With _On Error: Continue_, the items that would cost something become errors. See [Guards](money.md#guards).',
	},
	starting: {
		title: 'Starting jobs',
		intro:
			'A job is paid for when it is started. If the answer to that request is lost, nobody knows whether the job exists: its outcome is unknown. The node does not send the request again, so that you do not pay twice.\n\n**After an unknown outcome**, look with _Job > Get History_ whether the job exists. If it does, get its result with _Job > Wait for Completion_ and its ID. If it does not, start it again with _Retry execution_ or, after _Wait Mode: Durable_, with a new run for this item. Music, Video Studio and other jobs that the history may not list are on the website of the service.\n\nWhere nothing else is said, nothing was charged. See [What you see, what was charged, what to do](money.md#what-you-see-what-was-charged-what-to-do).',
	},
	waiting: {
		title: 'Waiting for jobs',
		intro:
			'The job is paid for if this run has started it. The message names it; reading it is free. In a batch, the description says what became of the other rows. With _On Error: Continue_, the ID is also in the item. See [Waiting, batches and limits](batches.md).',
	},
	results: {
		title: 'Results and files',
		intro:
			'The job is paid for, and its result exists. Downloading costs nothing. A file that cannot be downloaded does not make the item fail: the item has the URL and `downloadErrors` with the reason, and a hint says so. `<address>` is `The media address`.',
	},
	durable: {
		title: 'Durable waiting',
		intro:
			'Nothing was charged beyond the jobs of the run. These are about _Options > Wait Mode: Durable_. See [Durable waiting](durable.md).',
	},
	recovery: {
		title: 'Recovering paid jobs',
		intro:
			'Recovering costs nothing. _Job > Recover From Execution_ gets the results of the paid jobs of an execution that was stopped, that has failed, or that waits durably. See [Get paid jobs back](money.md#get-paid-jobs-back).',
	},
	trigger: {
		title: 'MediaGen Trigger',
		intro:
			'Nothing was charged. After an error while you publish the workflow, the workflow is not published. Later errors appear as failed executions: at once if the service refuses a request (for example because the key was revoked), otherwise after several failed polls in a row. The trigger keeps running, and no job is lost. See [MediaGen Trigger](triggerNode.md).',
	},
	account: {
		title: 'API keys and sessions',
		intro:
			'Nothing was charged. _API Key > Create_ and _Session_ of MediaGen Account do not use the API key, but what is in the MediaGen API credential, under More Settings. See [MediaGen Account](accountNode.md).',
	},
	hints: {
		title: 'Hints',
		intro:
			'Hints beside the items are no errors, and say themselves what to do. Of a few there is more to say.',
	},
};

/** For people who have no error text, or one that only points to others. */
const QUESTIONS = [
	'**A job failed**, or some rows of a batch: [Waiting for jobs](#waiting-for-jobs).',
	'**The run was stopped, or shows nothing after _Stop_**: its paid jobs go on. [Get paid jobs back](money.md#get-paid-jobs-back).',
	'**Unknown outcome**, `unknownOutcome`, "may have been paid for": [Starting jobs](#starting-jobs) says what to do before you start the job again.',
	'**Status 429**, too many requests: [What the service answers](#what-the-service-answers).',
	'**The time was up** before the job had finished: [Waiting for jobs](#waiting-for-jobs). Wait for the same job; a new run pays for a new one.',
];

export function troubleshooting(): string {
	const entries = errorEntries();
	return [
		'# Troubleshooting, by error text',
		'Search this page (Ctrl+F or ⌘F) for some words of your error, without names and numbers: `<…>` stands for what differs from case to case. In `2 of 8 failed: row 3: …`, search for what follows the row.',
		QUESTIONS.map((question) => `- ${question}`).join('\n'),
		"Each entry says what the error means and what to do. If something goes wrong after a job was started, the error has the job's ID. Reading a job with _Job > Get Status_ or _Job > Wait for Completion_ is free.",
		Object.values(ERROR_GROUPS)
			.map(({ title }) => `[${title}](#${anchorOf(title)})`)
			.join(' · '),
		GENERATED,
		...Object.entries(ERROR_GROUPS).flatMap(([name, { title, intro }]) => [
			`## ${title}`,
			intro,
			entries
				.filter(({ group }) => group === name)
				.map(entryText)
				.sort()
				.join('\n'),
		]),
		'',
	].join('\n\n');
}

function entryText({ messages, text, charged }: ErrorEntry): string {
	const said = [text, ...(charged ? [`_Charged: ${charged}_`] : [])].filter(Boolean).join(' ');
	return `- ${[messages.map((message) => `\`${message}\``).join(', '), said].filter(Boolean).join('\\\n  ')}`;
}
