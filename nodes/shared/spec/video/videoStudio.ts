import { JOB_ID } from '../answers';
import { payload, required } from '../field';
import type { ListOperation, StatusRoute } from '../operation';
import { GENERATE, type VideoFamily } from './family';

const RESOURCE = {
	value: 'videoStudio',
	label: 'Video Studio',
	description: 'All video models; requests are not documented',
};

/** Query parameters and body are not shown. */
export const VIDEO_STUDIO_HISTORY: ListOperation = {
	kind: 'list',
	resource: RESOURCE.value,
	operation: 'history',
	label: 'Get History',
	action: 'Get the Video Studio history',
	description: 'List recent Video Studio jobs, one item each',
	method: 'GET',
	path: '/api/v1/video-studio/history/',
	fields: [],
};

/** The body is not shown beyond job state and result URLs. */
const VIDEO_STUDIO_STATUS: StatusRoute = {
	path: `/api/v1/video-studio/status/{${JOB_ID}}/`,
	idField: JOB_ID,
	urlFields: {},
};

/** Section "Video Studio": one interface to all video models. */
export const VIDEO_STUDIO: VideoFamily = {
	resource: RESOURCE,
	status: VIDEO_STUDIO_STATUS,
	creations: [
		{
			...GENERATE,
			path: '/api/v1/video-studio/generate/',
			fields: [
				required(
					payload('payload', 'Request Fields', {
						description:
							'The service does not document them. Model > Get Many lists models, ratios, durations and quality modes',
					}),
				),
			],
		},
	],
	others: [VIDEO_STUDIO_HISTORY],
};
