import { JOB_ID } from '../answers';
import { payload, required } from '../field';
import { type ListOperation, resource } from '../operation';
import { GENERATE, type VideoFamily } from './family';

const STUDIO = resource(
	'videoStudio',
	'Video Studio',
	'All video models; requests are not documented',
);

/** Query parameters and body are not shown. */
export const VIDEO_STUDIO_HISTORY: ListOperation = {
	kind: 'list',
	resource: STUDIO.value,
	operation: 'history',
	label: 'Get History',
	action: 'Get the Video Studio history',
	description: 'List recent Video Studio jobs, one item each',
	method: 'GET',
	path: '/api/v1/video-studio/history/',
	fields: [],
};

const FIELDS =
	'The service does not document them. Model > Get Many lists models, ratios, durations and quality modes';

/** Section "Video Studio": one interface to all video models. */
export const VIDEO_STUDIO: VideoFamily = {
	resource: STUDIO,
	// The body is not shown beyond job state and result URLs.
	status: { path: `/api/v1/video-studio/status/{${JOB_ID}}/`, idField: JOB_ID },
	creations: [
		{
			...GENERATE,
			path: '/api/v1/video-studio/generate/',
			fields: [required(payload('payload', 'Request Fields', FIELDS))],
		},
	],
	others: [VIDEO_STUDIO_HISTORY],
};
