import { GENERATION_ID, STATUS_FIELD } from './records';
import type {
	CreateOperation,
	ListOperation,
	Resource,
	StatusOperation,
	StatusRoute,
} from './types';

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
	description: 'A generation that has been started',
};

/** Get Status and Wait for Completion of the jobs whose state a route gives. */
export function statusOperations(
	resource: string,
	route: Omit<StatusRoute, 'path'> & { path: StatusOperation['path'] },
): [StatusOperation, StatusOperation] {
	const { path, idField } = route;
	const get: StatusOperation = {
		kind: 'status',
		resource,
		operation: 'get',
		label: 'Get Status',
		action: 'Get the status of a job',
		description: 'Read the state of a job once, and its result URL if it has finished',
		method: 'GET',
		path,
		fields: [
			{
				name: idField,
				label: 'Job ID',
				type: 'text',
				presence: 'required',
				in: 'path',
				description: `The ${idField} that the creation of the job returned (jobId in its output)`,
			},
		],
		route,
		follow: false,
	};
	const wait: StatusOperation = {
		...get,
		operation: 'wait',
		label: 'Wait for Completion',
		action: 'Wait for a job to complete',
		description: 'Poll a job that was started earlier until it has finished',
		follow: true,
	};
	return [get, wait];
}

export const [GET_JOB, WAIT_FOR_JOB] = statusOperations(JOB_RESOURCE.value, GENERATION_STATUS);

/** Generation history (section "Images"). */
export const JOB_HISTORY: ListOperation = {
	kind: 'list',
	resource: JOB_RESOURCE.value,
	operation: 'history',
	label: 'Get History',
	action: 'Get the history of jobs',
	description: 'List generations of the account, one item each',
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
			description: 'Number of generations to skip, counted from the start of the history',
		},
		{
			name: 'type',
			label: 'Type',
			type: 'select',
			presence: 'optional',
			description: 'Only generations of this type',
			options: [{ value: 'image', label: 'Image' }],
			openValues: true,
		},
	],
	paging: { limit: 'limit', offset: 'offset' },
};
