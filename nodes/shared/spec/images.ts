import { GENERATION_RESULT, GENERATION_ROUTE, UNIFIED_IMAGE_ROUTE } from './answers';
import { area, choice, required, shownValue } from './field';
import { type CreateOperation, type ListOperation, resource } from './operation';

export const IMAGE_RESOURCE = resource('image', 'Image', 'Images from a text prompt');

const prompt = required(
	area('prompt', 'Prompt', 'What the image shows', {
		placeholder: 'A red bicycle against a white wall, morning light',
	}),
);

/** `POST /api/v1/generate/` (section "Images"). */
export const GENERATE_IMAGE: CreateOperation = {
	kind: 'create',
	resource: IMAGE_RESOURCE.value,
	operation: 'generate',
	label: 'Generate',
	action: 'Generate an image',
	description: 'Generate an image from a text prompt',
	method: 'POST',
	path: '/api/v1/generate/',
	fields: [
		prompt,
		choice('size', 'Size', 'Width to height', {
			'1:1': '1:1 (Square)',
			'3:2': '3:2 (Landscape)',
			'2:3': '2:3 (Portrait)',
		}),
	],
	mediaType: 'image',
	price: { rows: [[{}, 8]] },
	result: GENERATION_RESULT,
	status: GENERATION_ROUTE,
};

/** `POST /api/v1/image/generate` (section "Images"); its answer is not shown. */
export const GENERATE_IMAGE_UNIFIED: CreateOperation = {
	kind: 'create',
	resource: IMAGE_RESOURCE.value,
	operation: 'generateUnified',
	label: 'Generate (Unified)',
	action: 'Generate an image (unified)',
	description: 'Generate an image through the unified image endpoint',
	method: 'POST',
	path: '/api/v1/image/generate',
	fields: [prompt, shownValue('aspectRatio', 'Aspect Ratio', 'Width to height', '1:1')],
	mediaType: 'image',
	status: UNIFIED_IMAGE_ROUTE,
};

export const MODEL_RESOURCE = resource('model', 'Model', 'The models that the service offers');

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
