import { JOB_ROUTES } from './jobRoutes';
import { JOB_HISTORY } from './jobs';
import { GENERATION_RECORD_IDS, JOB_ID } from './records';
import { GENERATION } from './startedWith';
import { COMPLETED, FAILED } from './states';
import type { JobRoute, JobSource, MediaType, TriggerOperation } from './types';
import { VIDEO_STUDIO, VIDEO_STUDIO_HISTORY } from './video/videoStudio';

/** Lists all generations of the account; the entries are not shown. */
const GENERATIONS: JobSource = {
	list: JOB_HISTORY,
	route: routeOf(GENERATION),
	idFields: GENERATION_RECORD_IDS,
	mediaTypes: ['image', 'video'],
	typeField: 'type',
};

/** Lists recent jobs of Video Studio; neither parameters nor entries are shown. */
const VIDEO_STUDIO_JOBS: JobSource = {
	list: VIDEO_STUDIO_HISTORY,
	route: routeOf(VIDEO_STUDIO.resource.value),
	idFields: [JOB_ID],
	mediaTypes: ['video'],
};

/** What MediaGen Trigger starts workflows with. The service calls nobody back (section "Events"). */
export const JOB_TRIGGER: TriggerOperation = {
	events: [
		{
			state: COMPLETED,
			label: 'Generation Finished',
			ending: 'finished',
			description: 'A job has been completed and its media is there',
		},
		{
			state: FAILED,
			label: 'Generation Failed',
			ending: 'failed',
			description: 'The service could not make the media of a job',
		},
	],
	sources: [GENERATIONS, VIDEO_STUDIO_JOBS],
};

function routeOf(startedWith?: string): JobRoute {
	const route = JOB_ROUTES.find(({ value }) => value === startedWith);
	if (!route) throw new Error(`No route for jobs of ${startedWith}`);
	return route;
}

/** All media types that a trigger can tell apart, each once. */
export function mediaTypesOf({ sources }: TriggerOperation): MediaType[] {
	return [...new Set(sources.flatMap(({ mediaTypes }) => mediaTypes))];
}
