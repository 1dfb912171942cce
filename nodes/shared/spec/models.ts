import type { ListOperation, Resource } from './types';

export const MODEL_RESOURCE: Resource = {
	value: 'model',
	label: 'Model',
	description: 'The models that the service offers',
};

/** `GET /api/v1/models/image/` (section "Images"); the entries are not shown. */
export const LIST_IMAGE_MODELS: ListOperation = {
	kind: 'list',
	resource: MODEL_RESOURCE.value,
	operation: 'list',
	label: 'Get Many',
	action: 'Get many image models',
	description: 'List image models and their capabilities, one item each',
	method: 'GET',
	path: '/api/v1/models/image/',
	fields: [],
};

/** `GET /api/v1/models/video/` (section "Video Studio"); the entries are not shown. */
export const LIST_VIDEO_MODELS: ListOperation = {
	...LIST_IMAGE_MODELS,
	action: 'Get many video models',
	description: 'List video models with ratios, durations and quality modes, one item each',
	path: '/api/v1/models/video/',
};
