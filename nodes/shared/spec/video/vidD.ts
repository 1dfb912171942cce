import type { Rate } from '../types';
import {
	directoryOptin,
	GENERATE,
	imageUrls,
	lengths,
	optinDiscount,
	PROMPT,
	resolution,
	shownRatio,
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

const rates = PRICES.flatMap(([resolution, duration, silent, audio]): Rate[] => {
	const when = { resolution: [resolution], duration: [duration] };
	return [
		{ when: { ...when, generate_audio: [false] }, credits: silent },
		{ when: { ...when, generate_audio: [true] }, credits: audio },
	];
});

/** Section "Family-D video": video with audio. */
export const VID_D: VideoFamily = {
	resource: {
		value: 'vidD',
		label: 'Family D',
		description: 'Short clips, lowest prices, from text or images, with or without sound',
	},
	status: { openPoint: 'vidDStatusPath', of: 'Family D' },
	creations: [
		{
			path: '/vidD/generate/',
			modes: [GENERATE],
			fields: [
				PROMPT,
				imageUrls('input_urls'),
				shownRatio('aspect_ratio'),
				resolution('480p', '720p'),
				lengths('4', '8', '12'),
				sound('generate_audio', { presence: 'expected' }),
				directoryOptin(),
			],
			price: { shown: true, rates, discounts: [optinDiscount(10, 28)] },
		},
	],
};
