import { GENERATION_RECORD_IDS } from './answers';
import {
	GENERATION_ROUTE,
	MUSIC_ROUTE,
	UNIFIED_IMAGE_ROUTE,
	type JobList,
	type JobRoute,
	type ListOperation,
	type RecoverOperation,
	resource,
	type StatusOperation,
} from './operation';
import { choice, type Field, more, number, required, shownValue, text, toggle } from './field';
import { VIDEO_FAMILIES, VIDEO_STUDIO, VIDEO_STUDIO_HISTORY } from './video/families';
import { routeOf } from './video/family';

export const JOB_RESOURCE = resource('job', 'Job', 'State, result and history of jobs');

/** Switch of a list with pages. */
const RETURN_ALL = 'returnAll';

/** How many entries a list has without it; the default of n8n's own nodes. */
const DEFAULT_LIMIT = 50;

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
	controls: [
		toggle(RETURN_ALL, 'Return All', 'Whether to return all results or only up to a given limit'),
	],
	fields: [
		number('limit', 'Limit', 'Max number of results to return', {
			min: 1,
			isWhole: true,
			start: DEFAULT_LIMIT,
			when: { [RETURN_ALL]: [false] },
		}),
		...more(
			number('offset', 'Offset', 'How many jobs to skip from the start of the history', {
				min: 0,
				isWhole: true,
			}),
			shownValue('type', 'Type', 'Only jobs of this type', 'image'),
		),
	],
	isPaged: true,
};

/** Field that says what a job was started with, in the job's item and in the form of Job > Get Status. */
export const STARTED_WITH = 'startedWith';

/** Field that names the job whose state is read. */
export const JOB_ID_FIELD = 'jobId';

/** Choice of the form: what the incoming item says. */
export const AS_ITEM_SAYS = 'item';

/** Routes that find a job in a list: all generations of the account, and recent jobs of Video Studio. */
const LIST_ROUTES: readonly JobRoute[] = [
	{
		value: 'generationHistory',
		label: 'Listed in the Generation History',
		path: JOB_HISTORY.path,
		// Entries are not shown; where one has fields of the generation record, they mean the same.
		urlFields: GENERATION_ROUTE.urlFields,
		mediaTypes: ['image', 'video'],
		list: {
			operation: JOB_HISTORY,
			idFields: GENERATION_RECORD_IDS,
			route: GENERATION_ROUTE,
			typeField: 'type',
			isHistory: true,
		},
	},
	{
		value: 'videoStudioHistory',
		label: 'Listed in the Video Studio History',
		path: VIDEO_STUDIO_HISTORY.path,
		mediaTypes: ['video'],
		list: {
			operation: VIDEO_STUDIO_HISTORY,
			idFields: ['job_id'],
			route: routeOf(VIDEO_STUDIO),
		},
	},
];

/** All lists of jobs. */
export const JOB_LISTS: readonly JobList[] = LIST_ROUTES.flatMap(({ list }) => list ?? []);

/** Where to read the state of a job, by what it was started with. */
export const JOB_ROUTES: readonly JobRoute[] = [
	GENERATION_ROUTE,
	UNIFIED_IMAGE_ROUTE,
	...VIDEO_FAMILIES.filter(({ status }) => status !== GENERATION_ROUTE).map(routeOf),
	MUSIC_ROUTE,
	...LIST_ROUTES,
];

/** The route of that name. */
export const routeNamed = (name: unknown): JobRoute | undefined =>
	JOB_ROUTES.find(({ value }) => value === name);

/**
 * Where to look for a job of these media whose status path is neither documented nor set, in this order (sections
 * "Images": "status of any generation"; "Video Studio"). The first that answers with this very job is taken.
 */
export const ladderFor = ({ mediaTypes }: Pick<JobRoute, 'mediaTypes'>): JobRoute[] =>
	[GENERATION_ROUTE, ...LIST_ROUTES].filter((route) =>
		mediaTypes.every((type) => route.mediaTypes.includes(type)),
	);

const startedWith = choice(
	STARTED_WITH,
	'Started With',
	'Decides where the status of the job is read',
	{
		[AS_ITEM_SAYS]: [
			'As in the Item',
			'What the incoming item has in details.startedWith or startedWith; without it, an image or standard video',
		],
		...Object.fromEntries(JOB_ROUTES.map(({ value, label }) => [value, label])),
	},
);

/** A job of the history that a person picks, or an ID that a person, an expression or an agent's model enters. */
const JOB: Field = {
	...text(JOB_ID_FIELD, 'Job ID', '', { isWord: true, place: 'required', sentAs: 'path' }),
	property: {
		description: 'The jobId in the item of the job',
		type: 'resourceLocator',
		// An entry of the history has `id` instead.
		default: { mode: 'id', value: '={{ $json.jobId ?? $json.id }}' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: 'Choose a job…',
				typeOptions: { searchListMethod: 'searchJobs', searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 9a7ad2e0-5c1f-…' },
		],
	},
};

export const GET_JOB: StatusOperation = {
	kind: 'status',
	resource: JOB_RESOURCE.value,
	operation: 'get',
	label: 'Get Status',
	action: 'Get the status of a job',
	description: 'Read the state of a job once, and its result URL',
	method: 'GET',
	path: GENERATION_ROUTE.path,
	routes: JOB_ROUTES,
	controls: [startedWith],
	fields: [JOB],
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
 * The route of a job, by what it was started with; where nobody says that, the general one.
 *
 * @param chosen what the form says
 * @param item what the incoming item says, if the form leaves it to that
 */
export function jobRoute(chosen: unknown, item: unknown): JobRoute {
	const named = typeof chosen === 'string' ? chosen.trim() : chosen;
	return routeNamed(named === AS_ITEM_SAYS ? item : named) ?? GENERATION_ROUTE;
}

/** Field that names the execution. */
export const EXECUTION_ID = 'executionId';

/** Added to the errors of the operation. */
export const RECOVERY_READS =
	'This operation only reads, and pays for nothing. Jobs that were paid for go on at the service.';

/** Gets the jobs of an execution that has not output them; reads n8n, as the service knows no executions. */
export const RECOVER_JOBS: RecoverOperation = {
	kind: 'recover',
	resource: JOB_RESOURCE.value,
	operation: 'recover',
	label: 'Get Paid Jobs Back',
	action: 'Get paid jobs back',
	description:
		'Get the results of an execution that was stopped, has failed or waits durably: one item for each job that it has paid for',
	method: 'GET',
	path: '',
	fields: [
		required(
			text(
				EXECUTION_ID,
				'Execution ID',
				'Number of an execution of this workflow, after ID# under Executions. Leave this node unconnected: nodes before it would run, and pay, again.',
				{ placeholder: '231' },
			),
		),
	],
};
