import { openSandbox } from './harness.mts';
import { IMAGE_URL, VIDEO_REQUESTS, VIDEO_URL, type RequestName } from './videoRequests.mts';

const x = (length: number) => 'x'.repeat(length);
const images = (count: number) => Array<string>(count).fill(IMAGE_URL);

const send = async (name: RequestName, change: object) => {
	const { path, body } = VIDEO_REQUESTS[name];
	const sandbox = await openSandbox();
	return { ...sandbox, answer: await sandbox.post(path, { ...body, ...change }) };
};

type Row = [name: RequestName, change: object];

describe('video requests that are accepted', () => {
	it.each<Row>([
		['standard', { watermark_text: x(50) }],
		// Characters, not the halves of them that JavaScript counts.
		['standard', { watermark_text: '🪁'.repeat(50) }],
		['standard', { source_image_urls: images(3) }],
		['standard', { video_model: undefined, aspect_ratio: undefined }],
		['vidA31', { watermark: x(50), imageUrls: images(1) }],
		['vidA31', { aspectRatio: 'Auto', imageUrls: images(2) }],
		['vidA31', { enableFallback: false, enableTranslation: true }],
		['vidB30', { durationSeconds: 3 }],
		['vidB30', { durationSeconds: 15 }],
		['vidB30', { generationMode: 'another', qualityMode: 'another', aspectRatio: '4:3' }],
		['vidB30', { multiShots: true, prompt_directory_optin: true }],
		['vidB26', { duration: '10', aspectRatio: '16:9' }],
		['vidB26', { aspectRatio: '9:16', sound: false }],
		['vidB26Image', { imageUrls: images(5) }],
		['vidC', { aspect_ratio: 'landscape', quality: 'standard' }],
		['vidC', { aspect_ratio: 'square' }],
		['vidCImage', { pictures: undefined, anything: { is: ['sent', 'as', 'it', 'stands'] } }],
		['vidD', { aspect_ratio: '1:1', resolution: '480p', duration: '4', generate_audio: false }],
		['vidD', { input_urls: images(3), duration: '12' }],
		['vidE26', { duration: '15', resolution: '720p' }],
		['vidE26Image', {}],
		['vidE26Video', {}],
		['vidE', { anything: 1, another: null }],
		['videoStudio', { anything: [true] }],
	])('%s with %j', async (name, change) => {
		expect((await send(name, change)).answer.status).toBe(201);
	});
});

/** Every family has one; without it the request is refused. */
const WITH_PROMPT: RequestName[] = [
	'standard',
	'vidA31',
	'vidB30',
	'vidB26',
	'vidB26Image',
	'vidC',
	'vidD',
	'vidE26',
	'vidE26Image',
	'vidE26Video',
];

describe('video requests that are refused', () => {
	it.each<[...Row, message: string]>([
		...WITH_PROMPT.flatMap(
			(name): Array<[...Row, string]> => [
				[name, { prompt: undefined }, 'This field is required.'],
				[name, { prompt: '' }, 'This field is required.'],
				[name, { prompt: 7 }, 'This value must be string.'],
			],
		),

		['standard', { video_model: 'modelB' }, 'Must be one of: modelA_fast, modelA.'],
		['standard', { aspect_ratio: '1:1' }, 'Must be one of: 16:9, 9:16.'],
		['standard', { aspect_ratio: 'Auto' }, 'Must be one of: 16:9, 9:16.'],
		['standard', { watermark_text: x(51) }, 'must NOT have more than 50 characters'],
		['standard', { source_image_urls: IMAGE_URL }, 'This value must be array.'],
		['standard', { source_image_urls: ['first.png'] }, 'Must be a URL'],
		['standard', { prompt_directory_optin: 'true' }, 'This value must be boolean.'],

		['vidA31', { model: 'modelA_slow' }, 'Must be one of: modelA_fast, modelA.'],
		['vidA31', { aspectRatio: '1:1' }, 'Must be one of: 16:9, 9:16, Auto.'],
		['vidA31', { imageUrls: [] }, 'must NOT have fewer than 1 items'],
		['vidA31', { imageUrls: images(3) }, 'must NOT have more than 2 items'],
		['vidA31', { imageUrls: ['file:///etc/passwd'] }, 'Must be a URL'],
		['vidA31', { watermark: x(51) }, 'must NOT have more than 50 characters'],
		['vidA31', { enableFallback: 1 }, 'This value must be boolean.'],
		['vidA31', { enableTranslation: 'no' }, 'This value must be boolean.'],
		['vidA31', { prompt_directory_optin: true }, 'Unknown field.'],

		['vidB30', { durationSeconds: 2 }, 'This value must be >= 3.'],
		['vidB30', { durationSeconds: 16 }, 'This value must be <= 15.'],
		['vidB30', { durationSeconds: 3.5 }, 'This value must be integer.'],
		['vidB30', { durationSeconds: '5' }, 'This value must be integer.'],
		['vidB30', { qualityMode: 1 }, 'This value must be string.'],
		['vidB30', { sound: 'false' }, 'This value must be boolean.'],
		['vidB30', { multiShots: 0 }, 'This value must be boolean.'],
		['vidB30', { prompt_directory_optin: null }, 'This value must be boolean.'],

		['vidB26', { generationMode: 'video_to_video' }, 'Must be one of: text_to_video, image_'],
		['vidB26', { duration: '15' }, 'Must be one of: 5, 10.'],
		['vidB26', { duration: 5 }, 'Must be one of: 5, 10.'],
		['vidB26', { aspectRatio: '4:3' }, 'Must be one of: 16:9, 9:16, 1:1.'],
		['vidB26', { sound: 'yes' }, 'This value must be boolean.'],
		['vidB26Image', { imageUrls: undefined }, 'This field is required.'],
		['vidB26Image', { imageUrls: [] }, 'This field is required.'],
		['vidB26Image', { imageUrls: ['first.png'] }, 'Must be a URL'],

		['vidC', { aspect_ratio: '16:9' }, 'Must be one of: landscape, portrait, square.'],
		['vidC', { quality: 'best' }, 'Must be one of: standard, high.'],
		['vidC', { prompt_directory_optin: 'on' }, 'This value must be boolean.'],

		['vidD', { resolution: '1080p' }, 'Must be one of: 480p, 720p.'],
		['vidD', { duration: '5' }, 'Must be one of: 4, 8, 12.'],
		['vidD', { duration: 4 }, 'Must be one of: 4, 8, 12.'],
		['vidD', { generate_audio: 'true' }, 'This value must be boolean.'],
		['vidD', { input_urls: ['first.png'] }, 'Must be a URL'],

		['vidE26', { mode: 'text_to_video' }, 'Must be one of: text-to-video, image-to-video, video-'],
		['vidE26', { duration: '20' }, 'Must be one of: 5, 10, 15.'],
		['vidE26', { duration: 15 }, 'Must be one of: 5, 10, 15.'],
		['vidE26', { resolution: '480p' }, 'Must be one of: 720p, 1080p.'],
		['vidE26', { prompt_directory_optin: true }, 'Unknown field.'],
		['vidE26Image', { image_url: undefined }, 'This field is required.'],
		['vidE26Image', { image_url: 'first.png' }, 'Must be a URL'],
		['vidE26Video', { video_url: undefined }, 'This field is required.'],
		['vidE26Video', { video_url: [VIDEO_URL] }, 'This value must be string.'],
	])('%s with %j', async (name, change, message) => {
		const { answer, sandbox, account } = await send(name, change);
		const [field = ''] = Object.keys(change);
		expect(answer.status).toBe(400);
		expect(answer.body).toEqual({
			success: false,
			error: 'Some fields are missing or not valid.',
			details: { [field]: expect.stringContaining(message) },
		});
		expect(sandbox.jobs).toEqual([]);
		expect(account.charges).toEqual([]);
	});

	it.each<Row>([
		['standard', { aspectRatio: '16:9' }],
		['vidA31', { aspect_ratio: '16:9' }],
		['vidB30', { duration: '5' }],
		['vidB26', { durationSeconds: 5 }],
		['vidC', { duration: '10' }],
		['vidD', { sound: true }],
		['vidE26', { aspect_ratio: '16:9' }],
	])('%s with the field of another family, %j', async (name, change) => {
		const { answer } = await send(name, change);
		const [field = ''] = Object.keys(change);
		expect(answer.status).toBe(400);
		expect(answer.body.details).toEqual({ [field]: 'Unknown field.' });
	});

	it.each<Row>([
		['vidCImage', { pictures: undefined }],
		['vidE', { mode: undefined, input: undefined }],
		['videoStudio', { model: undefined, prompt: '', seconds: undefined }],
	])('%s with none of the fields that are not shown', async (name, change) => {
		const { answer } = await send(name, change);
		expect(answer.status).toBe(400);
		expect(answer.body.details).toEqual({ payload: 'At least one more field is required.' });
	});

	it('all that is wrong at once', async () => {
		const { answer } = await send('vidE26Image', { image_url: '', duration: '7', frames: 3 });
		expect(Object.keys(answer.body.details).sort()).toEqual(['duration', 'frames', 'image_url']);
	});
});
