import { choice } from '../fields';
import {
	directoryOptin,
	IMAGE_TO_VIDEO,
	named,
	optinDiscount,
	PROMPT,
	ratio,
	REQUEST_FIELDS,
	TEXT_TO_VIDEO,
	type VideoFamily,
} from './family';

/** Credits for a video of either operation. */
const CREDITS = 80;

/** Section "Family-C video": 10 seconds, 1080p. */
export const VID_C: VideoFamily = {
	resource: {
		value: 'vidC',
		label: 'Family C',
		description: 'Landscape, portrait or square, 10 s, 1080p, from text or images',
	},
	status: { openPoint: 'vidCStatusPath', of: 'Family C' },
	creations: [
		{
			path: '/api/v1/vidC/generate/text-to-video/',
			modes: [TEXT_TO_VIDEO],
			fields: [
				PROMPT,
				ratio('aspect_ratio', named('landscape', 'portrait', 'square')),
				choice('quality', 'Quality', named('standard', 'high'), {
					description: 'Quality of the video',
				}),
				directoryOptin(),
			],
			price: { shown: true, rates: [{ credits: CREDITS }], discounts: [optinDiscount(10)] },
		},
		// Only its price is shown: the table of fields is that of text-to-video.
		{
			path: { openPoint: 'vidCImagePath', of: 'Family C Image to Video' },
			modes: [IMAGE_TO_VIDEO],
			fields: [REQUEST_FIELDS],
			price: { shown: true, rates: [{ credits: CREDITS }] },
		},
	],
};
