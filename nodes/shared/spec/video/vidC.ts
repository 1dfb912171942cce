import type { Field } from '../types';
import { IMAGE_TO_VIDEO, TEXT_TO_VIDEO, type Creation, type VideoFamily } from './family';
import { choice, directoryOptin, named, optinDiscount, PROMPT } from './fields';

const textToVideo: Creation = {
	path: '/api/v1/vidC/generate/text-to-video/',
	modes: [TEXT_TO_VIDEO],
	fields: [
		PROMPT,
		choice('aspect_ratio', 'Aspect Ratio', named('landscape', 'portrait', 'square'), {
			description: 'Width to height',
		}),
		choice('quality', 'Quality', named('standard', 'high'), {
			description: 'Quality of the video',
		}),
		directoryOptin(),
	],
	price: { shown: true, rates: [{ credits: 80 }], discounts: [optinDiscount(10)] },
};

/** The document shows neither the path of image-to-video nor how it names its images. */
const images: Field = {
	name: 'payload',
	label: 'Image Fields',
	type: 'fields',
	presence: 'required',
	description: 'The fields that carry the images; the service does not document them',
};

/** Section "Family-C video": 10 seconds, 1080p. */
export const VID_C: VideoFamily = {
	resource: { value: 'vidC', label: 'Family C', description: '10 s, 1080p' },
	status: { setting: 'vidCStatusPath', of: 'Family C' },
	creations: [
		textToVideo,
		{
			...textToVideo,
			path: { setting: 'vidCImagePath', of: 'Family C Image to Video' },
			modes: [IMAGE_TO_VIDEO],
			fields: [...textToVideo.fields, images],
		},
	],
};
