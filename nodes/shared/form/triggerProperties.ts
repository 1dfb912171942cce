import type { INodeProperties } from 'n8n-workflow';

import { mediaTypesOf } from '../spec/trigger';
import type { TriggerOperation } from '../spec/types';
import { capitalized } from './describe';
import { downloadMedia, triggerOptions } from './waiting';

export const EVENTS = 'events';
export const MEDIA_TYPE = 'mediaType';
export const JOB_IDS = 'jobIds';

/** Jobs of whatever media. */
export const ALL_MEDIA = 'all';

/** The whole form of a trigger; n8n puts Poll Times before it. */
export function triggerProperties(trigger: TriggerOperation): INodeProperties[] {
	const { events } = trigger;
	const first = events[0]?.state ?? '';
	return [
		{
			displayName: 'Events',
			name: EVENTS,
			type: 'multiOptions',
			required: true,
			options: events.map(({ state, label, description }) => ({
				name: label,
				value: state,
				description,
			})),
			default: [first],
			description: 'Which ends of a job start the workflow',
		},
		{
			displayName: 'Media Type',
			name: MEDIA_TYPE,
			type: 'options',
			options: [
				{ name: 'All', value: ALL_MEDIA },
				...mediaTypesOf(trigger).map((value) => ({ name: capitalized(value), value })),
			],
			default: ALL_MEDIA,
			description: 'What the jobs make',
		},
		downloadMedia(),
		{
			displayName: `Starts the workflow once for every job of the account that ends, wherever it was started. Jobs that end while the workflow is not published do not count. ${NOT_LISTED}`,
			name: 'watchNotice',
			type: 'notice',
			default: '',
		},
		triggerOptions(JOB_IDS_OPTION),
	];
}

/** The service has no list of them. */
const NOT_LISTED = 'Music jobs are not seen: the service has no history of them.';

const JOB_IDS_OPTION: INodeProperties = {
	displayName: 'Only These Job IDs',
	name: JOB_IDS,
	type: 'string',
	default: '',
	placeholder: '9a7ad2e0-5c1f-4f7e-8a53-0d5c2f6b1e47',
	description:
		'Job IDs, separated by commas. Other jobs do not start the workflow. Empty means all jobs.',
};

/** Below the node's name on the canvas: the events, and the media where not all are meant. */
export const TRIGGER_SUBTITLE = `={{ ($parameter["${MEDIA_TYPE}"] === "${ALL_MEDIA}" ? "" : $parameter["${MEDIA_TYPE}"] + " ") + [].concat($parameter["${EVENTS}"]).join(", ") }}`;
