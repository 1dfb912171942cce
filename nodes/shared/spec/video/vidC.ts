import { choice } from '../field';
import { resource } from '../operation';
import {
	IMAGE_TO_VIDEO,
	named,
	optin,
	optinDiscount,
	PROMPT,
	ratio,
	REQUEST_FIELDS,
	TEXT_TO_VIDEO,
	type VideoFamily,
} from './family';

/** Section "Family-C video": 10 seconds, 1080p. */
export const VID_C: VideoFamily = {
	resource: resource(
		'vidC',
		'Family C',
		'Landscape, portrait or square, 10 s, 1080p, from text or images',
	),
	creations: [
		{
			...TEXT_TO_VIDEO,
			path: '/api/v1/vidC/generate/text-to-video/',
			fields: [
				PROMPT,
				ratio('aspect_ratio', named('landscape', 'portrait', 'square')),
				choice('quality', 'Quality', 'Quality of the video', named('standard', 'high')),
				optin(),
			],
			price: { rows: [[{}, 80]], extras: [optinDiscount(10)] },
		},
		// Only its price is shown: the table of fields is that of text-to-video.
		{
			...IMAGE_TO_VIDEO,
			path: { openPoint: 'vidCImagePath', of: 'Family C Image to Video' },
			fields: [REQUEST_FIELDS],
			price: { rows: [[{}, 80]] },
		},
	],
};
