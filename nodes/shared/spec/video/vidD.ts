import { shownValue } from '../field';
import { resource, type Row } from '../operation';
import {
	GENERATE,
	images,
	lengths,
	optin,
	optinDiscount,
	PROMPT,
	resolution,
	sound,
	type VideoFamily,
} from './family';

/** Credits without and with audio, by resolution and duration in seconds. */
const PRICES: ReadonlyArray<[resolution: string, duration: string, silent: number, audio: number]> =
	[
		['480p', '4', 8, 14],
		['480p', '8', 14, 28],
		['480p', '12', 19, 38],
		['720p', '4', 14, 28],
		['720p', '8', 28, 56],
		['720p', '12', 42, 84],
	];

const rows = PRICES.flatMap(([resolution, duration, silent, audio]): Row[] => [
	[{ resolution: [resolution], duration: [duration], generate_audio: [false] }, silent],
	[{ resolution: [resolution], duration: [duration], generate_audio: [true] }, audio],
]);

/** Section "Family-D video": video with audio. */
export const VID_D: VideoFamily = {
	resource: resource(
		'vidD',
		'Family D',
		'Short clips, lowest prices, from text or images, with or without sound',
	),
	creations: [
		{
			...GENERATE,
			path: '/vidD/generate/',
			fields: [
				PROMPT,
				images('input_urls'),
				shownValue('aspect_ratio', 'Aspect Ratio', 'Width to height', '16:9'),
				resolution('480p', '720p'),
				lengths('4', '8', '12'),
				sound('generate_audio'),
				optin(),
			],
			price: { rows, extras: [optinDiscount(10, 28)] },
		},
	],
};
