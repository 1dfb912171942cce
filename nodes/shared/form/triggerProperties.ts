import type { INodeProperties } from 'n8n-workflow';

import { EVENTS, MEDIA_TYPE, JOB_IDS, ALL_MEDIA } from '../parameters/names';
import { mediaTypesOf, type TriggerOperation } from '../spec/catalogs';
import { capitalized } from '../spec/conditions';
import { switchProperty, triggerOptions } from './waiting';

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
			description:
				'Which jobs start the workflow, each once, wherever they were started. Music jobs do not: the service documents no history of them.',
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
		switchProperty('downloadMedia'),
		triggerOptions(JOB_IDS_OPTION),
	];
}

const JOB_IDS_OPTION: INodeProperties = {
	displayName: 'Only These Job IDs',
	name: JOB_IDS,
	type: 'string',
	default: '',
	placeholder: '9a7ad2e0-5c1f-4f7e-8a53-0d5c2f6b1e47',
	description: 'Job IDs, separated by commas. Other jobs do not start the workflow.',
};

/** What the canvas shows below the name of a trigger. */
export const TRIGGER_SUBTITLE = `={{ $parameter["${MEDIA_TYPE}"] + ": " + $parameter["${EVENTS}"] }}`;
