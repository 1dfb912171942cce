import type { INodeProperties } from 'n8n-workflow';

import { COMPLETED, FAILED } from '../spec/answers';
import { capitalized } from '../spec/values';
import { choice, text } from '../spec/field';
import { JOB_LISTS } from '../spec/jobs';
import { ALL_MEDIA, EVENTS, JOB_IDS, MEDIA_TYPE } from './names';
import { propertyOf, triggerOptions } from './operation';
import { DOWNLOAD } from './options';

/** How jobs end, each a way to start a workflow. The service calls nobody back (section "Events"). */
export const JOB_EVENTS = [
	{
		value: COMPLETED,
		name: 'Generation Finished',
		description: 'A job has been completed and its media is there',
	},
	{
		value: FAILED,
		name: 'Generation Failed',
		description: 'The service could not make the media of a job',
	},
];

/** All media types that the lists of jobs tell apart. */
export const LISTED_MEDIA = [...new Set(JOB_LISTS.flatMap(({ route }) => route.mediaTypes))];

const MEDIA = choice(MEDIA_TYPE, 'Media Type', 'What the jobs make', {
	[ALL_MEDIA]: 'All',
	...Object.fromEntries(LISTED_MEDIA.map((type) => [type, capitalized(type)])),
});

/** The whole form of the trigger; n8n puts Poll Times before it. */
export const triggerProperties = (): INodeProperties[] => [
	{
		displayName: 'Events',
		name: EVENTS,
		type: 'multiOptions',
		required: true,
		options: JOB_EVENTS,
		default: [COMPLETED],
		description:
			'Which jobs start the workflow, each once, wherever they were started. Music jobs do not: the service documents no history of them.',
	},
	propertyOf(MEDIA),
	propertyOf(DOWNLOAD),
	triggerOptions(
		text(
			JOB_IDS,
			'Only These Job IDs',
			'Job IDs, separated by commas. Other jobs do not start the workflow.',
			{ placeholder: '9a7ad2e0-5c1f-4f7e-8a53-0d5c2f6b1e47' },
		),
	),
];
