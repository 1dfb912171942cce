import { GENERATION_RECORD_IDS, GENERATION_STATUS, JOB_ID } from './answers';
import { choice, shownValue, text } from './fields';
import type {
	CreateOperation,
	JobList,
	JobRoute,
	ListOperation,
	Operation,
	RecoverOperation,
	Resource,
	StatusOperation,
} from './types';
import { VIDEO_FAMILIES } from './video/families';
import { isOpen, type VideoFamily } from './video/family';
import { VIDEO_STUDIO, VIDEO_STUDIO_HISTORY } from './video/videoStudio';

/** Whether an operation may start a job. */
export const startsJob = ({ kind }: Operation) => kind === 'create';

/** Whether an operation outputs jobs. */
export const givesJobs = (operation: Operation) =>
	startsJob(operation) || operation.kind === 'status';

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
		shownValue('type', 'Type', 'image', {
			presence: 'optional',
			description: 'Only jobs of this type',
		}),
	],
	paging: { limit: 'limit', offset: 'offset' },
};

/** Field that says what a job was started with, in the job's item and in the form of Job > Get Status. */
export const STARTED_WITH = 'startedWith';

/** Field that names the job whose state is read. */
export const JOB_ID_FIELD = 'jobId';

/** Choice of the form: what the incoming item says. */
export const AS_ITEM_SAYS = 'item';

/** The general route, also for jobs of which nothing says what they were started with. */
const GENERATION_ROUTE: JobRoute = {
	value: 'generation',
	label: 'Image or Standard Video',
	path: GENERATION_STATUS.path,
	route: GENERATION_STATUS,
	mediaTypes: ['image', 'video'],
};

/** Routes that find a job in a list: all generations of the account, and recent jobs of Video Studio. */
const LIST_ROUTES: readonly JobRoute[] = [
	{
		value: 'generationHistory',
		label: 'Listed in the Generation History',
		path: JOB_HISTORY.path,
		// Entries are not shown; where one has fields of the generation record, they mean the same.
		route: { urlFields: GENERATION_STATUS.urlFields },
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
		route: { urlFields: {} },
		mediaTypes: ['video'],
		list: {
			operation: VIDEO_STUDIO_HISTORY,
			idFields: [JOB_ID],
			route: familyRoute(VIDEO_STUDIO),
		},
	},
];

/** All lists of jobs. */
export const JOB_LISTS: readonly JobList[] = LIST_ROUTES.flatMap(({ list }) => list ?? []);

/** Where to read the state of a job, by what it was started with. */
export const JOB_ROUTES: readonly JobRoute[] = [
	GENERATION_ROUTE,
	{
		value: 'imageUnified',
		label: 'Image (Unified)',
		path: { openPoint: 'imageStatusPath' },
		route: { urlFields: {} },
		mediaTypes: ['image'],
	},
	...VIDEO_FAMILIES.filter(({ status }) => status !== GENERATION_STATUS).map(familyRoute),
	{
		value: 'music',
		label: 'Music',
		path: { openPoint: 'musicStatusPath' },
		route: { urlFields: {} },
		mediaTypes: ['audio'],
	},
	...LIST_ROUTES,
];

function familyRoute({ resource: { value, label }, status }: VideoFamily): JobRoute {
	return {
		value,
		label,
		path: isOpen(status) ? status : status.path,
		route: isOpen(status) ? { urlFields: {} } : status,
		mediaTypes: ['video'],
	};
}

/**
 * Where to look for a job whose status path is neither documented nor set, in this order: a link to its status in
 * the answer to its creation, then the routes of these names that serve its media (section "Images": "status of any
 * generation"; "Video Studio"). The first that answers with this very job is taken.
 */
const STATUS_LADDER = [
	'link',
	GENERATION_ROUTE.value,
	...LIST_ROUTES.map(({ value }) => value),
] as const;

/** The route of that name. */
export const routeNamed = (name: unknown): JobRoute | undefined =>
	JOB_ROUTES.find(({ value }) => value === name);

/** The routes of `STATUS_LADDER` that serve jobs of these media. */
export const ladderFor = ({ mediaTypes }: Pick<JobRoute, 'mediaTypes'>): JobRoute[] =>
	STATUS_LADDER.flatMap((name) => routeNamed(name) ?? []).filter((route) =>
		mediaTypes.every((type) => route.mediaTypes.includes(type)),
	);

const startedWith = choice(
	STARTED_WITH,
	'Started With',
	[
		{
			value: AS_ITEM_SAYS,
			label: 'As in the Item',
			help: 'What the incoming item has in details.startedWith or startedWith; without it, an image or standard video',
		},
		...JOB_ROUTES.map(({ value, label }) => ({ value, label })),
	],
	{ description: 'Decides where the status of the job is read' },
);

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
	fields: [
		text(JOB_ID_FIELD, 'Job ID', {
			presence: 'required',
			in: 'path',
			// An entry of the history has `id` instead.
			start: '={{ $json.jobId ?? $json.id }}',
			placeholder: '9a7ad2e0-5c1f-…',
			description: 'The jobId in the item of the job',
			pickedFrom: 'history',
		}),
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
 * The route of a job, by what it was started with; `undefined` where the form names an unknown one.
 *
 * @param chosen what the form says
 * @param item what the incoming item says, if the form leaves it to that; by default, the general route
 */
export function jobRoute(chosen: unknown, item: unknown): JobRoute | undefined {
	if (chosen !== AS_ITEM_SAYS) return routeNamed(chosen);
	return routeNamed(item) ?? GENERATION_ROUTE;
}

/**
 * What the item of a job has in `startedWith`: the choice of *Started With* with which its state can be
 * read. `undefined` where no route is known.
 */
export function startedWithOf({ status }: Pick<CreateOperation, 'status'>): string | undefined {
	const isOf = ({ path }: JobRoute) =>
		'route' in status
			? path === status.route.path
			: typeof path !== 'string' && path.openPoint === status.openPoint;
	return JOB_ROUTES.find(isOf)?.value;
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
		text(EXECUTION_ID, 'Execution ID', {
			presence: 'required',
			placeholder: '231',
			description:
				'Number of an execution of this workflow, after ID# under Executions. Leave this node unconnected: nodes before it would run, and pay, again.',
		}),
	],
};
