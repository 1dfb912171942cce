import { GENERATION_RESULT } from './answers';
import {
	GENERATION_ROUTE,
	UNIFIED_IMAGE_ROUTE,
	type Catalog,
	type CreateOperation,
	type ListOperation,
	resource,
} from './operation';
import { area, choice, required, shownValue } from './field';
import { GET_JOB, JOB_HISTORY, JOB_RESOURCE, RECOVER_JOBS, WAIT_FOR_JOB } from './jobs';

const IMAGE = resource('image', 'Image', 'Images from a text prompt');

const prompt = required(
	area('prompt', 'Prompt', 'What the image shows', {
		placeholder: 'A red bicycle against a white wall, morning light',
	}),
);

/** Section "Images". */
const GENERATE: CreateOperation = {
	kind: 'create',
	resource: IMAGE.value,
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

/** Its answer is not shown. */
const GENERATE_UNIFIED: CreateOperation = {
	kind: 'create',
	resource: IMAGE.value,
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

/** The entries are not shown. */
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

/** Section "Video Studio"; the entries are not shown. */
export const LIST_VIDEO_MODELS: ListOperation = {
	...LIST_IMAGE_MODELS,
	action: 'Get many video models',
	description: 'List video models with ratios, durations and quality modes, one item each',
	path: '/api/v1/models/video/',
};

/** What MediaGen Image offers, in the order of its dropdowns. */
export const IMAGE_CATALOG: Catalog = {
	resources: [IMAGE, JOB_RESOURCE, MODEL_RESOURCE],
	operations: [
		GENERATE,
		GENERATE_UNIFIED,
		GET_JOB,
		WAIT_FOR_JOB,
		JOB_HISTORY,
		RECOVER_JOBS,
		LIST_IMAGE_MODELS,
	],
};
