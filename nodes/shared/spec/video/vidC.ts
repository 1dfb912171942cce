import type { Field, Operation, Resource } from '../types';
import { creationsOf, IMAGE_TO_VIDEO, openStatus, TEXT_TO_VIDEO, type Family } from './families';
import { choice, directoryOptin, optinDiscount, PROMPT } from './fields';
import { openStatusOperations } from './openStatus';

/** Section "Family-C video": 10 seconds, 1080p. */
export const VID_C: Resource = { value: 'vidC', label: 'Family C (vidC)' };

const textToVideo: Family = {
	resource: VID_C,
	path: '/api/v1/vidC/generate/text-to-video/',
	fields: [
		PROMPT,
		choice('aspect_ratio', 'Aspect Ratio', ['landscape', 'portrait', 'square']),
		choice('quality', 'Quality', ['standard', 'high']),
		directoryOptin(),
	],
	price: { shown: true, rates: [{ credits: 80 }], discounts: [optinDiscount(10)] },
	status: openStatus('vidCStatusPath'),
};

/** The document shows neither the path of image-to-video nor how it names its images. */
const images: Field = {
	name: 'payload',
	label: 'Image Fields',
	type: 'fields',
	presence: 'required',
	description: 'The fields that carry the images; the service does not document their names',
};

export const VID_C_OPERATIONS: readonly Operation[] = [
	...creationsOf(textToVideo, [TEXT_TO_VIDEO]),
	...creationsOf(
		{
			...textToVideo,
			path: { openPoint: 'vidCImagePath' },
			fields: [...textToVideo.fields, images],
		},
		[IMAGE_TO_VIDEO],
	),
	...openStatusOperations(VID_C.value, 'vidCStatusPath'),
];
