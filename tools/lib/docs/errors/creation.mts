import { UNDER_WAY } from '../../../../nodes/shared/durable/state.ts';
import { UnknownLedger } from '../../../../nodes/shared/jobs/ledger.ts';
import { SETTINGS_PLACE } from '../../../../nodes/shared/parameters/names.ts';
import { UNNAMED_JOB } from '../../../../nodes/shared/service/errorTexts.ts';
import { adviceIn, entryOf, NOTHING, type ErrorEntry, type ErrorGroup } from './entry.mts';

const MAYBE = 'Perhaps: the job may exist.';

const LOOK_FOR_IT =
	'Use _Job > Get History_ to see whether the job exists. If it does, get its result with _Job > Wait for Completion_ and its ID. If it does not, order it again with _Retry execution_ or, after _Wait Mode: Durable_, with a new run for this item. For music, Video Studio and other jobs that the history may not list, look on the website of the service.';

/** A file that did not get to the service, for a reason. */
const upload = (
	reason: string,
	means: string,
	advice = 'Try again. If it keeps happening, check the node or the address that the file comes from.',
): ErrorEntry => ({
	message: `The file <name> could not be uploaded: ${reason}`,
	means,
	advice,
});

const DOWNLOAD_FIRST =
	'Get the file with an HTTP Request node, and enter the name of its binary property.';

const UPLOADS: readonly ErrorEntry[] = [
	upload(
		'its address <reason>',
		'The node downloads the file while uploading it to the service, and the download failed. The reasons are those of [downloads](#results-and-files).',
		DOWNLOAD_FIRST,
	),
	upload(
		'nothing arrived within <number> seconds',
		'The address of the file does not answer.',
		DOWNLOAD_FIRST,
	),
	upload('it broke off (<reason>)', 'The address of the file stopped sending.'),
	upload(
		'it must be an audio file, but "<name>" is empty',
		'That address does not return a file that the service accepts. The other rules for files are [above](#operation-and-values).',
		'Open the address in a browser: often it leads to a web page.',
	),
	upload(
		'its address does not tell its size (Content-Length)',
		'A multipart form needs to know the size before it is sent.',
		DOWNLOAD_FIRST,
	),
	upload(
		'it has not the <number> bytes that were told',
		'The file is shorter or longer than its address, or n8n, says it is.',
		DOWNLOAD_FIRST,
	),
	upload('reading it broke off (<reason>)', 'The file could not be read to its end.'),
	upload(
		'it is too large to be sent as text',
		'As Base64, the file would use too much memory.',
		`Choose _Multipart Form_ as _Upload Files As_ in ${SETTINGS_PLACE}.`,
	),
	upload(
		'n8n cannot read it (<reason>)',
		'n8n has the name of the file, but not its content.',
		'Run the node that made the file again.',
	),
].map((entry) => ({ ...entry, charged: NOTHING }));

const unknownLedger = new UnknownLedger({});

export const CREATION: ErrorGroup = {
	title: 'Starting jobs',
	intro:
		'A job is paid for when it is started. If the answer to that request is lost, nobody knows whether the job was started. The node then does not send the request again, so that you do not pay twice. The errors of [What the service answers](#what-the-service-answers) can occur here, too. Their description says what became of the job.',
	guide: [
		'What you see, what was charged, what to do',
		'money.md#what-you-see-what-was-charged-what-to-do',
	],
	charged: MAYBE,
	entries: [
		entryOf(UNNAMED_JOB, {
			means:
				'The job exists, but the node cannot find its ID. The description contains the whole answer.',
			charged: 'Yes: the service has accepted the job.',
			advice: `${adviceIn(UNNAMED_JOB.description)} _Retry execution_ then waits for this job, too.`,
		}),
		{
			message: 'The service says that it has failed, with the status of a success',
			means: 'The answer contradicts itself. You find it in the description.',
			advice: LOOK_FOR_IT,
		},
		{
			message:
				'Not sent again, since the first try may have been paid for: <message of the first try>',
			means:
				'An earlier attempt for this item got no answer that could be read. The error names the jobs of the generation history that may be the one, if it shows any. The node takes none of them by itself, because others may have ordered the same prompt.',
			advice: LOOK_FOR_IT,
		},
		{
			message:
				'Row <number>: its first creation seemed to be lost. Its answer names job <ID>, which is taken for it, and not paid for again.',
			means:
				'A hint. The answer to the creation was broken, or had its ID under a name that the credential did not tell by then. It names this job.',
			advice: 'Nothing.',
			charged: 'This job, once.',
		},
		{
			message: UNDER_WAY,
			means:
				'n8n was killed, or crashed, at the moment when a durable run was starting this job. The generation history does not say for certain whether it exists.',
			advice: LOOK_FOR_IT,
		},
		{
			message: unknownLedger.message,
			means:
				'The package was updated between two attempts of an execution, and cannot read what the other version has paid for.',
			charged: 'The jobs that the error names. This version has started none.',
			advice: adviceIn(unknownLedger.description.replace(/^This version cannot read[^.]*\. ?/, '')),
		},
		...UPLOADS,
	],
};
