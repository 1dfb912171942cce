import { GENERATION_STATUS, JOB_RESOURCE } from './jobs';
import type { Field, JobRoute, StatusOperation } from './types';
import { VIDEO_FAMILIES } from './video/families';
import { isOpen, pathOf, type VideoFamily } from './video/family';

/** Says what a job was started with: in its item, and in the form of Job > Get Status. */
export const STARTED_WITH = 'startedWith';

/** Names the job whose state is read. */
export const JOB_ID_FIELD = 'jobId';

/** Choice of the form: what the incoming item says. */
export const AS_ITEM_SAYS = 'item';

/** The general route, also where nothing says what a job was started with. */
const GENERATION: JobRoute = {
	value: 'generation',
	label: 'Image or Standard Video',
	path: GENERATION_STATUS.path,
	route: GENERATION_STATUS,
};

/** Where the state of any job is read, by what it was started with. */
export const JOB_ROUTES: readonly JobRoute[] = [
	GENERATION,
	{
		value: 'imageUnified',
		label: 'Image (Unified)',
		path: { openPoint: 'imageStatusPath' },
		route: { urlFields: {} },
	},
	...VIDEO_FAMILIES.filter(({ status }) => status !== GENERATION_STATUS).map(familyRoute),
	{
		value: 'music',
		label: 'Music',
		path: { openPoint: 'musicStatusPath' },
		route: { urlFields: {} },
	},
];

function familyRoute({ resource: { value, label }, status }: VideoFamily): JobRoute {
	return {
		value,
		label,
		path: pathOf(isOpen(status) ? status : status.path),
		route: isOpen(status) ? { urlFields: {} } : status,
	};
}

const startedWith: Field = {
	name: STARTED_WITH,
	label: 'Started With',
	type: 'select',
	presence: 'expected',
	description: 'Decides where the status of the job is read',
	options: [
		{
			value: AS_ITEM_SAYS,
			label: 'As in the Item',
			help: 'What the incoming item has in startedWith; without it, an image or standard video',
		},
		...JOB_ROUTES.map(({ value, label }) => ({ value, label })),
	],
};

export const GET_JOB: StatusOperation = {
	kind: 'status',
	resource: JOB_RESOURCE.value,
	operation: 'get',
	label: 'Get Status',
	action: 'Get the status of a job',
	description: 'Read the state of a job once, and its result URL',
	method: 'GET',
	path: GENERATION.path,
	routes: JOB_ROUTES,
	controls: [startedWith],
	fields: [
		{
			name: JOB_ID_FIELD,
			label: 'Job ID',
			type: 'text',
			presence: 'required',
			in: 'path',
			// An entry of the history has its id.
			start: '={{ $json.jobId ?? $json.id }}',
			placeholder: '9a7ad2e0-5c1f-…',
			description: 'The jobId in the item of the job',
		},
	],
	follow: false,
};

export const WAIT_FOR_JOB: StatusOperation = {
	...GET_JOB,
	operation: 'wait',
	label: 'Wait for Completion',
	action: 'Wait for a job',
	description: 'Poll a job until it has ended',
	follow: true,
};

/**
 * The route of the jobs that were started in one way.
 *
 * @param chosen what the form says
 * @param item what the incoming item says; the general route where neither names one
 */
export function jobRoute(chosen: unknown, item: unknown): JobRoute | undefined {
	if (chosen !== AS_ITEM_SAYS) return JOB_ROUTES.find(({ value }) => value === chosen);
	return JOB_ROUTES.find(({ value }) => value === item) ?? GENERATION;
}
