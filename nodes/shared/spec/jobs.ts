import { GENERATION_ID, STATUS_FIELD } from './records';
import type { CreateOperation, ListOperation, Resource, StatusRoute } from './types';

/** Status of any generation, image or video (section "Images"); answers the flat record. */
export const GENERATION_STATUS: StatusRoute = {
	path: `/api/v1/generate/{${GENERATION_ID}}/`,
	enveloped: false,
	idField: GENERATION_ID,
	stateField: STATUS_FIELD,
	urlFields: { video: 'video_url' },
	isInHistory: true,
};

/** Whether the history lists such jobs: those whose documented status is that of a generation. */
export function isListed({ status }: Pick<CreateOperation, 'status'>): boolean {
	return 'route' in status && status.route.isInHistory === true;
}

export const JOB_RESOURCE: Resource = {
	value: 'job',
	label: 'Job',
	description: 'State, result and history of jobs',
};

/** Generation history (section "Images"). */
export const JOB_HISTORY: ListOperation = {
	kind: 'list',
	resource: JOB_RESOURCE.value,
	operation: 'history',
	label: 'Get History',
	action: 'Get the job history',
	description: 'List the images and videos of the account, one item each',
	method: 'GET',
	path: '/api/v1/generate/history/',
	fields: [
		{
			name: 'limit',
			label: 'Limit',
			type: 'integer',
			presence: 'optional',
			description: 'Max number of results to return',
		},
		{
			name: 'offset',
			label: 'Offset',
			type: 'integer',
			presence: 'optional',
			min: 0,
			description: 'How many jobs to skip from the start of the history',
		},
		{
			name: 'type',
			label: 'Type',
			type: 'select',
			presence: 'optional',
			description: 'Only jobs of this type',
			options: [{ value: 'image', label: 'Image' }],
			openValues: true,
		},
	],
	paging: { limit: 'limit', offset: 'offset' },
};
