import type { INodeProperties } from 'n8n-workflow';

import { mediaTypesOf, type TriggerOperation } from '../spec/catalogs';
import { capitalized } from '../spec/conditions';
import { choice, text } from '../spec/field';
import { ALL_MEDIA, EVENTS, JOB_IDS, MEDIA_TYPE } from './names';
import { propertyOf, triggerOptions } from './operation';
import { DOWNLOAD } from './options';

/** The whole form of a trigger; n8n puts Poll Times before it. */
export function triggerProperties(trigger: TriggerOperation): INodeProperties[] {
	const { events } = trigger;
	const first = events[0]?.state ?? '';
	const media = mediaTypesOf(trigger).map((value) => [value, capitalized(value)]);
	const choices = { [ALL_MEDIA]: 'All', ...Object.fromEntries(media) };
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
		propertyOf(choice(MEDIA_TYPE, 'Media Type', 'What the jobs make', choices)),
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
}
