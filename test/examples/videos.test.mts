import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { jobOf } from '../support/jobOf.mts';
import { useExamples } from '../support/useExamples.mts';

/** Examples that end with videos, started by hand. */

const { n8n, runExample } = useExamples({ sandbox: { jobMs: { min: 0, max: 0 } } });

jest.setTimeout(150_000);

type Run = Parameters<typeof runExample>;

/** Runs an example to its end; it has succeeded. */
async function succeed(...run: Run) {
	const execution = await runExample(...run);
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	return execution;
}

/** What the example gives out: one item, with everything in it. */
async function resultOf(...run: Run) {
	const [items = []] = outputsOf(await succeed(...run), 'Result');
	expect(items).toHaveLength(1);
	return items[0]?.json;
}

/** Its address, for the job of a prompt. */
const media = (prompt: string, extension: string) =>
	`${n8n.sandbox.url}/media/${jobOf(n8n.sandbox, prompt)?.id}.${extension}`;

const bodies = () => n8n.sandbox.jobs.map(({ body }) => body);

test('blogToVideo: an illustration for each section, and clips that lead from one to the next', async () => {
	const sections = [
		'The harbour wakes\nBefore six the fishing boats come in, and the gulls are louder than the engines.',
		'The market opens\nBy eight the stalls stand in the square, with lemons, bread and the catch of the night.',
		'The evening walk\nWhen the heat is gone, everybody is on the sea wall, and nobody is in a hurry.',
	];
	const result = await resultOf('blogToVideo.json', 'Start');
	const images = sections.map((section) =>
		media(`Flat illustration in warm colours: ${section}`, 'png'),
	);
	expect(result).toEqual({
		post: 'A day in a small harbour',
		images,
		videos: sections.map((section) => media(section, 'mp4')),
		totalCredits: 3 * 8 + 3 * 100,
	});
	const frames = sections.map((section) => jobOf(n8n.sandbox, section)?.body.imageUrls);
	expect(frames).toEqual([[images[0], images[1]], [images[1], images[2]], [images[2]]]);
});

describe('productVideo', () => {
	test('without a photo, one is made: first and last frame', async () => {
		const result = await resultOf('productVideo.json', 'Start');
		const [made, video] = n8n.sandbox.jobs;
		const photo = `${n8n.sandbox.url}/media/${made?.id}.png`;
		const videoUrl = `${n8n.sandbox.url}/media/${video?.id}.mp4`;
		expect(result).toEqual({
			product: 'Blue enamel mug',
			firstFrame: photo,
			lastFrame: photo,
			videoUrl,
		});
		expect(bodies()[1]).toMatchObject({ imageUrls: [photo, photo] });
	});

	test.each([
		['', 'https://shop.example/front.jpg'],
		['https://shop.example/back.jpg', 'https://shop.example/back.jpg'],
	])('with a photo, and the last one %j', async (lastPhoto, lastFrame) => {
		const photo = 'https://shop.example/front.jpg';
		const value = (name: string, of: string) => ({ id: name, name, type: 'string', value: of });
		const assignments = [
			value('name', 'Mug'),
			value('photo', photo),
			value('lastPhoto', lastPhoto),
			value('movement', 'Round the mug'),
		];
		const result = await resultOf('productVideo.json', 'Start', {
			Product: { parameters: { assignments: { assignments } } },
		});
		expect(result).toMatchObject({ product: 'Mug', firstFrame: photo, lastFrame });
		expect(bodies()).toEqual([expect.objectContaining({ imageUrls: [photo, lastFrame] })]);
	});
});

describe('songToVideo', () => {
	test('lyrics, song, cover and video in one item', async () => {
		const result = await resultOf('songToVideo.json', 'Start');
		const [, song, cover, video] = n8n.sandbox.jobs;
		expect(result).toEqual({
			title: 'Until Spring',
			lyrics: expect.stringMatching(/^\[Verse\]\n/),
			songUrl: expect.stringMatching(/\.(mp3|wav)$/),
			coverUrl: expect.stringContaining(cover!.id),
			videoUrl: expect.stringContaining(video!.id),
		});
		expect(song?.body).toMatchObject({
			prompt: result.lyrics,
			custom_mode: true,
			instrumental: false,
		});
		expect(n8n.sandbox.jobs.map(({ operation }) => operation.operation)).toEqual([
			'lyrics',
			'generate',
			'cover_art',
			'music_video',
		]);
	});

	test('lyrics under another name: it stops before the song is paid for', async () => {
		const execution = await runExample('songToVideo.json', 'Start', {
			'Write the lyrics': { parameters: { operation: 'style_boost', content: 'folk' } },
		});
		expect(execution.error.message).toMatch(/^The answer has no lyrics\..*"style":"folk/);
		expect(n8n.sandbox.jobs).toHaveLength(1);
	});

	test('lyrics in a list, be it of lines or of versions: so does it', async () => {
		const lyrics = ['A light on the water', 'A bell in the fog'];
		n8n.sandbox.faults.add({
			match: { kind: 'status' },
			fault: { kind: 'status', status: 200, body: { status: 'completed', lyrics } },
		});
		const execution = await runExample('songToVideo.json', 'Start');
		expect(execution.error.message).toMatch(/^The answer has no lyrics\..*\["A light on the water/);
		expect(n8n.sandbox.jobs).toHaveLength(1);
	});
});
