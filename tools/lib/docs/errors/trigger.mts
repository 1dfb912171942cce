import { JOB_TRIGGER, mediaTypesOf } from '../../../../nodes/shared/spec/catalogs.ts';
import { NOTHING, type ErrorGroup } from './entry.mts';

export const TRIGGER: ErrorGroup = {
	title: 'MediaGen Trigger',
	intro:
		'If an error occurs while you publish the workflow, the workflow is not published. After that, errors appear as failed executions: at once if the service refuses a request (for example because the key was revoked), and after several failed polls in a row if the problem may pass. The trigger keeps running, and no job is lost. The errors of [What the service answers](#what-the-service-answers) can occur here, too.',
	guide: ['MediaGen Trigger', 'triggerNode.md'],
	charged: NOTHING,
	entries: [
		{
			message: 'No job in the history fits yet',
			means: '_Fetch Test Event_ looks for the latest job that fits the form, and there is none.',
			advice:
				'Generate an image or a video, wait until it is finished, and fetch again. Check _Events_, _Media Type_ and _Only These Job IDs_.',
		},
		{
			message: 'The account has no requests left for the moment',
			means: 'Other workflows, or a demo account, have used up the requests of the minute or hour.',
			advice: 'Publish the workflow again later.',
		},
		{
			message: `Events (events) must be ${JOB_TRIGGER.events.map(({ label }) => `<${label}>`).join(' or ')}, but is "<text>"`,
			also: [
				'Events (events) must be <events>, but nothing is given',
				`Media Type (mediaType) must be <all or ${mediaTypesOf(JOB_TRIGGER).join(' or ')}>, but is "<text>"`,
			],
			means: 'An expression returns a value that is not on the list.',
			advice: 'Choose from the list.',
		},
		{
			message:
				'Options > Only These Job IDs (jobIds) must have at least one job ID, but nothing is given; remove the option to watch all jobs',
			means: 'The option is empty, or its expression returns nothing.',
			advice: 'Enter IDs, or remove the option.',
		},
	],
};
