import { statusOperations } from '../jobs';
import { JOB_ID } from '../records';
import type { ListOperation, Operation, Resource, StatusRoute } from '../types';
import { creationsOf, GENERATE } from './families';

/** Section "Video Studio": one interface to all video models. */
export const VIDEO_STUDIO: Resource = { value: 'videoStudio', label: 'Video Studio' };

/** Its body is not shown beyond job state and result URLs. */
export const VIDEO_STUDIO_STATUS: StatusRoute = {
	path: `/api/v1/video-studio/status/{${JOB_ID}}/`,
	idField: JOB_ID,
	urlFields: {},
};

/** Query parameters and body are not shown. */
export const VIDEO_STUDIO_HISTORY: ListOperation = {
	kind: 'list',
	resource: VIDEO_STUDIO.value,
	operation: 'history',
	label: 'Get History',
	action: 'Get the history of Video Studio',
	description: 'List recent Video Studio jobs, one item each',
	method: 'GET',
	path: '/api/v1/video-studio/history/',
	fields: [],
};

export const VIDEO_STUDIO_OPERATIONS: readonly Operation[] = [
	...creationsOf(
		{
			resource: VIDEO_STUDIO,
			path: '/api/v1/video-studio/generate/',
			fields: [
				{
					name: 'payload',
					label: 'Payload',
					type: 'fields',
					presence: 'required',
					description:
						'The body of the request. The service does not document it: Model > Get Many lists the models with their ratios, durations and quality modes.',
				},
			],
			price: { shown: false },
			status: { route: VIDEO_STUDIO_STATUS },
		},
		[GENERATE],
	),
	...statusOperations(VIDEO_STUDIO.value, VIDEO_STUDIO_STATUS),
	VIDEO_STUDIO_HISTORY,
];
