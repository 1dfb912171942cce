import { priceOf } from '../../../nodes/shared/spec/price.ts';
import { creationNamed } from '../../support/operations.mts';

/** Every price of the document's video sections, as a literal. */

type Case = [request: Record<string, unknown>, credits: number];

const optin = { prompt_directory_optin: true };
const noOptin = { prompt_directory_optin: false };

const exact: Record<string, Case[]> = {
	'standardVideo.generate': [
		[{ video_model: 'modelA_fast', aspect_ratio: '16:9', ...noOptin }, 130],
		[{ video_model: 'modelA_fast', aspect_ratio: '9:16', ...noOptin }, 150],
		[{ video_model: 'modelA', aspect_ratio: '16:9', ...noOptin }, 300],
		[{ video_model: 'modelA', aspect_ratio: '9:16', ...noOptin }, 300],
		[{ video_model: 'modelA_fast', aspect_ratio: '16:9', ...optin }, 120],
		[{ video_model: 'modelA_fast', aspect_ratio: '9:16', ...optin }, 140],
		[{ video_model: 'modelA', aspect_ratio: '9:16', ...optin }, 290],
		// prompt_directory_optin is true by default.
		[{ video_model: 'modelA_fast', aspect_ratio: '16:9' }, 120],
		[{ video_model: 'modelA', aspect_ratio: '16:9' }, 290],
	],
	'vidA31.generate': [
		[{ model: 'modelA_fast', aspectRatio: '16:9' }, 100],
		[{ model: 'modelA_fast', aspectRatio: 'Auto', enableFallback: false }, 100],
		[{ model: 'modelA', aspectRatio: '9:16' }, 250],
		[{ model: 'modelA_fast', enableFallback: true }, 300],
		[{ model: 'modelA', enableFallback: true }, 450],
	],
	'vidB30.generate': [
		[{ qualityMode: 'pro', sound: false, durationSeconds: 3, ...noOptin }, 81],
		[{ qualityMode: 'pro', sound: false, durationSeconds: 15, ...noOptin }, 405],
		[{ qualityMode: 'pro', sound: true, durationSeconds: 3, ...noOptin }, 120],
		[{ qualityMode: 'pro', sound: true, durationSeconds: 15, ...noOptin }, 600],
	],
	'vidB26.textToVideo': [
		[{ duration: '5', sound: false, ...noOptin }, 55],
		[{ duration: '10', sound: false, ...noOptin }, 110],
		[{ duration: '5', sound: true, ...noOptin }, 110],
		[{ duration: '10', sound: true, ...noOptin }, 220],
		// sound is false by default.
		[{ duration: '5', ...noOptin }, 55],
		[{ duration: '10', ...noOptin }, 110],
		[{ duration: '5', ...optin }, 45],
		[{ duration: '10', sound: true, ...optin }, 210],
	],
	'vidB26.imageToVideo': [
		[{ duration: '5', ...noOptin }, 55],
		[{ duration: '10', sound: true, ...noOptin }, 220],
	],
	'vidC.textToVideo': [
		[{ quality: 'standard', ...noOptin }, 80],
		[{ quality: 'high', ...noOptin }, 80],
		[{ quality: 'high', ...optin }, 70],
	],
	// The discount is documented for text-to-video alone.
	'vidC.imageToVideo': [
		[{ payload: { image: 'a.png' } }, 80],
		[{ payload: { image: 'a.png', ...optin } }, 80],
	],
	'vidD.generate': [
		[{ resolution: '480p', duration: '4', generate_audio: false, ...noOptin }, 8],
		[{ resolution: '480p', duration: '4', generate_audio: true, ...noOptin }, 14],
		[{ resolution: '480p', duration: '8', generate_audio: false, ...noOptin }, 14],
		[{ resolution: '480p', duration: '8', generate_audio: true, ...noOptin }, 28],
		[{ resolution: '480p', duration: '12', generate_audio: false, ...noOptin }, 19],
		[{ resolution: '480p', duration: '12', generate_audio: true, ...noOptin }, 38],
		[{ resolution: '720p', duration: '4', generate_audio: false, ...noOptin }, 14],
		[{ resolution: '720p', duration: '4', generate_audio: true, ...noOptin }, 28],
		[{ resolution: '720p', duration: '8', generate_audio: false, ...noOptin }, 28],
		[{ resolution: '720p', duration: '8', generate_audio: true, ...noOptin }, 56],
		[{ resolution: '720p', duration: '12', generate_audio: false, ...noOptin }, 42],
		[{ resolution: '720p', duration: '12', generate_audio: true, ...noOptin }, 84],
		// 10 credits less, for options that cost 28 or more.
		[{ resolution: '480p', duration: '12', generate_audio: false, ...optin }, 19],
		[{ resolution: '480p', duration: '8', generate_audio: true, ...optin }, 18],
		[{ resolution: '480p', duration: '12', generate_audio: true, ...optin }, 28],
		[{ resolution: '720p', duration: '8', generate_audio: false, ...optin }, 18],
		[{ resolution: '720p', duration: '12', generate_audio: true, ...optin }, 74],
	],
	'vidE26.textToVideo': [
		[{ resolution: '720p', duration: '5' }, 70],
		[{ resolution: '720p', duration: '10' }, 140],
		[{ resolution: '720p', duration: '15' }, 210],
		[{ resolution: '1080p', duration: '5' }, 105],
		[{ resolution: '1080p', duration: '10' }, 210],
		[{ resolution: '1080p', duration: '15' }, 315],
	],
	'vidE26.imageToVideo': [[{ resolution: '1080p', duration: '15' }, 315]],
	'vidE26.videoToVideo': [[{ resolution: '720p', duration: '5' }, 70]],
};

const cases = Object.entries(exact).flatMap(([name, rows]) =>
	rows.map(([request, credits]) => [name, request, credits] as const),
);

test.each(cases)('%s %j costs %i credits', (name, request, credits) => {
	expect(priceOf(creationNamed(name), request)).toEqual({ credits, exact: true });
});

/**
 * Per second: standard 20 and 30, pro 27 and 40. Which of them another value than `pro` names is not
 * documented.
 */
test.each([
	[false, 3, 81],
	[false, 10, 270],
	[true, 10, 400],
	[true, 15, 600],
])('family B 3.0 with a typed quality, sound %p, %i s: at most %i', (sound, seconds, credits) => {
	const request = {
		qualityMode: 'anything else',
		sound,
		durationSeconds: seconds,
		...noOptin,
	};
	expect(priceOf(creationNamed('vidB30.generate'), request)).toEqual({
		credits,
		exact: false,
		reason: 'The value that names the standard tier is not documented',
	});
});

test('a switch without a documented default, where it is not sent, leaves the price open', () => {
	const request = { resolution: '720p', duration: '8', generate_audio: false };
	expect(priceOf(creationNamed('vidD.generate'), request)).toEqual({
		credits: 28,
		exact: false,
		reason: 'The price depends on Publish in Prompt Directory',
	});
	// 10 credits less from 28 credits on: this costs 14, published or not.
	expect(priceOf(creationNamed('vidD.generate'), { ...request, duration: '4' })).toEqual({
		credits: 14,
		exact: true,
	});
});

test('the opt-in discount of family B 3.0 is left open', () => {
	const request = { qualityMode: 'pro', sound: true, durationSeconds: 5, ...optin };
	expect(priceOf(creationNamed('vidB30.generate'), request)).toMatchObject({
		credits: 200,
		exact: false,
	});
});

test.each(['videoStudio.generate', 'vidE.textToVideo', 'image.generateUnified'])(
	'the price of %s is not documented',
	(name) => {
		expect(priceOf(creationNamed(name), {})).toEqual({
			credits: null,
			exact: false,
			reason: 'No price is documented',
		});
	},
);
