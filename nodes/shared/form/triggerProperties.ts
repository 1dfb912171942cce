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
				'Which jobs start the workflow: those whose media is there, those that have failed, or both',
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
		{
			displayName: WATCHED,
			name: 'watchNotice',
			type: 'notice',
			default: '',
		},
		triggerOptions(JOB_IDS_OPTION),
	];
}

const WATCHED =
	'Starts the workflow once for each such job in the histories of the account, wherever it was started. Jobs that end while the workflow is not published do not count. Music jobs are not seen: the service documents no history of them.';

const JOB_IDS_OPTION: INodeProperties = {
	displayName: 'Only These Job IDs',
	name: JOB_IDS,
	type: 'string',
	default: '',
	placeholder: '9a7ad2e0-5c1f-4f7e-8a53-0d5c2f6b1e47',
	description: 'Job IDs, separated by commas. Other jobs do not start the workflow.',
};

/** What the canvas shows below the name of a node, as an expression, such as `Video finished or failed`. */
export function triggerSubtitle(trigger: TriggerOperation): string {
	const endings = Object.fromEntries(trigger.events.map(({ state, ending }) => [state, ending]));
	const media = Object.fromEntries(mediaTypesOf(trigger).map((type) => [type, capitalized(type)]));
	const tables = `${JSON.stringify(endings)}, ${JSON.stringify(media)}`;
	return `={{ (${READER})(${tables}, $parameter) }}`;
}

/** Puts the words of the tables together, after n8n has resolved the expressions of the parameters. */
const READER = `(endings, media, chosen) => {
	const events = String(chosen.${EVENTS});
	const words = Object.keys(endings).filter((event) => events.includes(event));
	if (words.length === 0) return 'No event is chosen';
	const what = media[chosen.${MEDIA_TYPE}] ?? 'Generation';
	return what + ' ' + words.map((event) => endings[event]).join(' or ');
}`.replace(/\s+/g, ' ');
