import { openSandbox } from './harness.mts';
import { IMAGE_URL, VIDEO_REQUESTS, type RequestName } from './videoRequests.mts';

const charged = async (name: RequestName, change: object) => {
	const { path, body } = VIDEO_REQUESTS[name];
	const { post, account } = await openSandbox({ openPrice: 33 });
	const answer = await post(path, { ...body, ...change });
	expect(answer.status).toBe(201);
	expect(account.charges).toHaveLength(1);
	expect(account.credits.purchased).toBe(1000 - (account.charges[0]?.credits ?? NaN));
	return account.charges[0]?.credits;
};

const optin = { prompt_directory_optin: true };

describe('what videos are charged', () => {
	it.each<[number, object]>([
		[130, { aspect_ratio: '16:9' }],
		[150, { aspect_ratio: '9:16' }],
		[300, { video_model: 'modelA', aspect_ratio: '16:9' }],
		[300, { video_model: 'modelA', aspect_ratio: '9:16' }],
		[120, { aspect_ratio: '16:9', ...optin }],
		[140, { aspect_ratio: '9:16', ...optin }],
		[290, { video_model: 'modelA', ...optin }],
		// Its default is true.
		[140, { prompt_directory_optin: undefined }],
		[150, { source_image_urls: [IMAGE_URL], watermark_text: 'mine' }],
	])('standard video: %d for %j', async (credits, change) => {
		expect(await charged('standard', change)).toBe(credits);
	});

	it.each<[number, object]>([
		[100, {}],
		[250, { model: 'modelA' }],
		[300, { enableFallback: true }],
		[450, { model: 'modelA', enableFallback: true }],
		[100, { enableFallback: false, enableTranslation: true, aspectRatio: 'Auto' }],
	])('family A: %d for %j', async (credits, change) => {
		expect(await charged('vidA31', change)).toBe(credits);
	});

	it.each<[number, object]>([
		[20, { qualityMode: 'std', sound: false }],
		[30, { qualityMode: 'std', sound: true }],
		[27, { qualityMode: 'pro', sound: false }],
		[40, { qualityMode: 'pro', sound: true }],
	])('family B 3.0: %d a second for %j', async (credits, change) => {
		for (const durationSeconds of [3, 15]) {
			const total = await charged('vidB30', { ...change, durationSeconds });
			expect(total).toBe(credits * durationSeconds);
		}
		// By how much the opt-in is cheaper is not shown.
		const total = await charged('vidB30', { ...change, durationSeconds: 4, ...optin });
		expect(total).toBe(credits * 4);
	});

	it.each<[number, object]>([
		[55, { duration: '5' }],
		[55, { duration: '5', sound: false }],
		[110, { duration: '10', sound: false }],
		[110, { duration: '5', sound: true }],
		[220, { duration: '10', sound: true }],
		[45, { duration: '5', ...optin }],
		[100, { duration: '10', ...optin }],
		[210, { duration: '10', sound: true, ...optin }],
	])('family B 2.6: %d for %j', async (credits, change) => {
		expect(await charged('vidB26', change)).toBe(credits);
		expect(await charged('vidB26Image', change)).toBe(credits);
	});

	it.each<[number, object]>([
		[80, {}],
		[80, { aspect_ratio: 'square', quality: 'standard' }],
		[80, { prompt_directory_optin: false }],
	])('family C: %d for %j', async (credits, change) => {
		expect(await charged('vidC', change)).toBe(credits);
		expect(await charged('vidCImage', change)).toBe(credits);
	});

	it('family C: 70 for text to video in the prompt directory', async () => {
		expect(await charged('vidC', optin)).toBe(70);
	});

	it.each([
		['480p', '4', 8, 14, 8, 14],
		['480p', '8', 14, 28, 14, 18],
		['480p', '12', 19, 38, 19, 28],
		['720p', '4', 14, 28, 14, 18],
		['720p', '8', 28, 56, 18, 46],
		['720p', '12', 42, 84, 32, 74],
	])(
		'family D: %s, %s s: %d without and %d with audio; %d and %d in the prompt directory',
		async (resolution, duration, silent, audible, silentOptin, audibleOptin) => {
			const price = (generate_audio: boolean, more = {}) =>
				charged('vidD', { resolution, duration, generate_audio, ...more });
			expect(await price(false)).toBe(silent);
			expect(await price(true)).toBe(audible);
			expect(await price(false, optin)).toBe(silentOptin);
			expect(await price(true, optin)).toBe(audibleOptin);
		},
	);

	it.each([
		['720p', '5', 70],
		['720p', '10', 140],
		['720p', '15', 210],
		['1080p', '5', 105],
		['1080p', '10', 210],
		['1080p', '15', 315],
	])('family E 2.6: %s, %s s: %d', async (resolution, duration, credits) => {
		const request = { resolution, duration };
		expect(await charged('vidE26', request)).toBe(credits);
		expect(await charged('vidE26Image', request)).toBe(credits);
		expect(await charged('vidE26Video', request)).toBe(credits);
	});

	it.each<RequestName>(['vidE', 'videoStudio'])(
		'%s: the price of the settings, since none is shown',
		async (name) => {
			expect(await charged(name, {})).toBe(33);
		},
	);
});
