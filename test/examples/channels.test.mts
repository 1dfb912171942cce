import { outputsOf } from '../../tools/lib/n8nClient.mts';
import { bytesAt } from '../support/bytesAt.mts';
import { useExamples, type NodeChanges } from '../support/useExamples.mts';
import { SIGNED_IN, useOtherServices } from '../support/useOtherServices.mts';

/** Examples that publish what they have made. */

const YOUTUBE = {
	upload: 'POST www.googleapis.com/upload/youtube/v3/videos',
	file: 'PUT www.googleapis.com/upload/session',
	thumbnail: 'POST www.googleapis.com/upload/youtube/v3/thumbnails/set',
};
const SITE = 'blog.example.com';
const WORDPRESS = {
	media: `POST ${SITE}/wp-json/wp/v2/media`,
	post: `POST ${SITE}/wp-json/wp/v2/posts`,
	featured: `POST ${SITE}/wp-json/wp/v2/posts/70`,
};
const FEED = `GET ${SITE}/feed`;
const LINKEDIN = {
	begin: 'POST api.linkedin.com/rest/images',
	file: 'POST www.linkedin.com/dms-uploads/1',
	post: 'POST api.linkedin.com/rest/posts',
};

/** Media that WordPress has. */
let media = 0;

const others = useOtherServices({
	[YOUTUBE.upload]: { headers: { location: 'https://www.googleapis.com/upload/session' } },
	[YOUTUBE.file]: { body: { id: 'untilSpring' } },
	[YOUTUBE.thumbnail]: { body: { kind: 'youtube#thumbnailSetResponse', items: [{}] } },
	[WORDPRESS.media]: () => {
		media += 1;
		return { status: 201, body: { id: media, source_url: `https://${SITE}/uploads/${media}.png` } };
	},
	[WORDPRESS.post]: { status: 201, body: { id: 70, status: 'draft' } },
	[WORDPRESS.featured]: { body: { id: 70, featured_media: 1 } },
	[FEED]: feedOf('The harbour wakes', 'The market opens'),
	[LINKEDIN.begin]: {
		body: {
			value: { uploadUrl: 'https://www.linkedin.com/dms-uploads/1', image: 'urn:li:image:1' },
		},
	},
	[LINKEDIN.file]: { status: 201 },
	[LINKEDIN.post]: { status: 201, headers: { 'x-restli-id': 'urn:li:share:1' } },
});

const { n8n, addCredential, importExample } = useExamples({
	sandbox: { jobMs: { min: 0, max: 0 } },
});

jest.setTimeout(60_000);

beforeAll(async () => {
	await addCredential('youTubeOAuth2Api', SIGNED_IN);
	await addCredential('linkedInOAuth2Api', SIGNED_IN);
	await addCredential('wordpressApi', {
		username: 'harbour',
		password: 'application password',
		url: `https://${SITE}`,
	});
});

beforeEach(() => {
	media = 0;
});

const bodies = () => n8n.sandbox.jobs.map(({ body }) => body);
const operations = () => n8n.sandbox.jobs.map(({ operation }) => operation.operation);
const routes = () => others.calls.map(({ route }) => route);
const BEARER = `Bearer ${SIGNED_IN.oauthTokenData.access_token}`;

/** Runs an example once. */
async function run(file: string, trigger: string, changes?: NodeChanges) {
	const workflow = await importExample(file, changes);
	return await n8n.client.waitForExecution(await n8n.client.runManually(workflow, trigger));
}

async function succeed(...of: Parameters<typeof run>) {
	const execution = await run(...of);
	expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
	return execution;
}

async function retry(id: string) {
	return await n8n.client.waitForExecution(await n8n.client.retryExecution(id));
}

describe('songToYoutube', () => {
	const resultOf = (execution: Awaited<ReturnType<typeof run>>) =>
		outputsOf(execution, 'Result')[0]?.[0]?.json;

	test('the video is in the channel, with the cover as its thumbnail', async () => {
		const result = resultOf(await succeed('songToYoutube.json', 'Start'));
		const [song, video, cover] = n8n.sandbox.jobs;
		expect(result).toEqual({
			title: 'Until Spring',
			youtubeUrl: 'https://www.youtube.com/watch?v=untilSpring',
			songUrl: expect.stringContaining(song!.id),
			videoUrl: expect.stringContaining(video!.id),
			coverUrl: expect.stringContaining(cover!.id),
			thumbnail: true,
		});
		expect(operations()).toEqual(['generate', 'music_video', 'cover_art']);

		expect(routes()).toEqual([YOUTUBE.upload, YOUTUBE.file, YOUTUBE.thumbnail]);
		const [upload, file, thumbnail] = others.calls;
		expect(upload?.headers.authorization).toBe(BEARER);
		expect(upload?.body).toMatchObject({
			snippet: {
				title: 'Until Spring',
				categoryId: '10',
				description: 'A lighthouse keeper waits for spring.',
			},
			status: { privacyStatus: 'private' },
		});
		expect(file?.body.equals(await bytesAt(result.videoUrl))).toBe(true);
		expect(thumbnail?.query).toEqual({ videoId: 'untilSpring' });
		expect(thumbnail?.headers.authorization).toBe(BEARER);
		expect(thumbnail?.body.equals(await bytesAt(result.coverUrl))).toBe(true);
	});

	test('a channel that may not have thumbnails: the video is there', async () => {
		others.answerOnce(YOUTUBE.thumbnail, {
			status: 403,
			body: { error: { message: 'forbidden' } },
		});
		expect(resultOf(await succeed('songToYoutube.json', 'Start'))).toMatchObject({
			youtubeUrl: 'https://www.youtube.com/watch?v=untilSpring',
			thumbnail: false,
		});
	});

	test('an upload that YouTube refuses is retried without paying again', async () => {
		others.answerOnce(YOUTUBE.upload, { status: 403, body: { error: { message: 'quota' } } });
		const refused = await run('songToYoutube.json', 'Start');
		expect([refused.status, refused.lastNode]).toEqual(['error', 'Upload']);
		expect((await retry(refused.id)).status).toBe('success');
		expect(operations()).toEqual(['generate', 'music_video', 'cover_art']);
	});

	test('a song that fails: nothing is uploaded', async () => {
		const failed = await run('songToYoutube.json', 'Start', {
			Idea: ideaOf({ title: 'A song', style: 'Folk [fail]', description: '' }),
			Song: { parameters: { custom_mode: false, prompt: '={{ $json.style }}' } },
		});
		expect(failed.error?.message).toContain('failed');
		expect(operations()).toEqual(['generate']);
		expect(others.calls).toEqual([]);
	});
});

describe('blogToWordpress', () => {
	const LOOK = 'Flat illustration in warm colours, without text';
	const WAKES = 'The harbour wakes. Before six the fishing boats come in';
	const WALK = 'The evening walk. When the heat is gone, everybody is on the sea wall';

	test('a draft with a picture in each section, and the first as featured image', async () => {
		await succeed('blogToWordpress.json', 'Start');
		expect(
			bodies()
				.map(({ prompt }) => prompt)
				.sort(),
		).toEqual([
			expect.stringContaining(`${LOOK}: ${WALK}`),
			expect.stringContaining(`${LOOK}: ${WAKES}`),
		]);
		expect(routes()).toEqual([
			WORDPRESS.media,
			WORDPRESS.media,
			WORDPRESS.post,
			WORDPRESS.featured,
		]);
		const [, , post, featured] = others.calls;
		const [wakes] = n8n.sandbox.jobs.filter(({ body }) => String(body.prompt).includes(WAKES));
		const basic = Buffer.from('harbour:application password').toString('base64');
		const uploads = others.callsOf(WORDPRESS.media);
		for (const { headers } of uploads) {
			expect(headers).toMatchObject({
				authorization: `Basic ${basic}`,
				'content-type': 'image/png',
				'content-disposition': expect.stringMatching(/^attachment; filename="[^"]+\.png"$/),
			});
		}
		const picture = await bytesAt(`${n8n.sandbox.url}/media/${wakes?.id}.png`);
		// Both are sent at once: the second section's may arrive first.
		const [ofWakes, ofWalk] = uploads[0]?.body.equals(picture) ? [1, 2] : [2, 1];
		expect(uploads[ofWakes - 1]?.body.equals(picture)).toBe(true);
		expect(post?.body).toEqual({
			title: 'A day in a small harbour',
			status: 'draft',
			content: [
				'<h2>The harbour wakes</h2>',
				`<img src="https://${SITE}/uploads/${ofWakes}.png" alt="The harbour wakes">`,
				'<p>Before six the fishing boats come in, and the gulls are louder than the engines.</p>',
				'<h2>The evening walk</h2>',
				`<img src="https://${SITE}/uploads/${ofWalk}.png" alt="The evening walk">`,
				'<p>When the heat is gone, everybody is on the sea wall, and nobody is in a hurry.</p>',
			].join('\n'),
		});
		expect(featured?.body).toEqual({ featured_media: ofWakes });
	});

	test('one picture fails: nothing is posted, and a retry makes that one alone', async () => {
		n8n.sandbox.settings.failPrompt = 'evening walk';
		const failed = await run('blogToWordpress.json', 'Start');
		expect([failed.status, failed.lastNode]).toEqual(['error', 'Illustrate']);
		expect(others.calls).toEqual([]);
		n8n.sandbox.settings.failPrompt = '[fail]';
		expect((await retry(failed.id)).status).toBe('success');
		expect(bodies().filter(({ prompt }) => String(prompt).includes(WAKES))).toHaveLength(1);
		expect(n8n.sandbox.jobs).toHaveLength(3);
		expect(others.callsOf(WORDPRESS.post)).toHaveLength(1);
	});

	test('a post that would cost more than the limit: nothing is paid for', async () => {
		const text = Array.from({ length: 11 }, (_, index) => `## Section ${index}\nText`).join('\n');
		const failed = await run('blogToWordpress.json', 'Start', {
			Post: ideaOf({ site: `https://${SITE}`, title: 'Long', text, look: 'Any' }),
		});
		expect(failed.error?.message).toContain('88');
		expect(n8n.sandbox.jobs).toEqual([]);
	});

	test('a text without sections: nothing is paid for, and nothing posted', async () => {
		await succeed('blogToWordpress.json', 'Start', {
			Post: ideaOf({ site: `https://${SITE}`, title: 'Short', text: 'No section', look: 'Any' }),
		});
		expect([n8n.sandbox.jobs, others.calls]).toEqual([[], []]);
	});
});

describe('rssToLinkedin', () => {
	const mine = { 'Post it': { parameters: { person: 'me' } } };

	test('the newest article is posted with a picture, and never again', async () => {
		const workflow = await importExample('rssToLinkedin.json', mine);
		const morning = async () => {
			const id = await n8n.client.runManually(workflow, 'Every morning');
			const execution = await n8n.client.waitForExecution(id);
			expect([execution.status, execution.error?.message]).toEqual(['success', undefined]);
		};
		await morning();
		expect(bodies()).toEqual([
			{
				prompt:
					'Editorial illustration without any text: The harbour wakes. What happens in "The harbour wakes".',
				size: '1:1',
			},
		]);
		expect(routes()).toEqual([FEED, LINKEDIN.begin, LINKEDIN.file, LINKEDIN.post]);
		const [, begin, file, post] = others.calls;
		expect(begin?.body).toEqual({ initializeUploadRequest: { owner: 'urn:li:person:me' } });
		const picture = await bytesAt(`${n8n.sandbox.url}/media/${n8n.sandbox.jobs[0]?.id}.png`);
		expect(file?.body.equals(picture)).toBe(true);
		expect(post?.body).toMatchObject({
			author: 'urn:li:person:me',
			commentary: 'The harbour wakes\n\nhttps://blog.example.com/The%20harbour%20wakes',
			content: { media: { id: 'urn:li:image:1', title: 'The harbour wakes' } },
		});

		await morning();
		expect(others.callsOf(LINKEDIN.post)).toHaveLength(1);
		others.answerOnce(FEED, feedOf('The evening walk', 'The harbour wakes'));
		await morning();
		expect(bodies().map(({ prompt }) => prompt)).toEqual([
			expect.stringContaining('The harbour wakes'),
			expect.stringContaining('The evening walk'),
		]);
		others.answerOnce(FEED, feedOf());
		await morning();
		expect(n8n.sandbox.jobs).toHaveLength(2);
	});

	test('a picture that fails is not posted; a retry makes it', async () => {
		n8n.sandbox.settings.failPrompt = 'harbour';
		const failed = await run('rssToLinkedin.json', 'Every morning', mine);
		expect([failed.status, failed.lastNode]).toEqual(['error', 'Make the picture']);
		expect(others.callsOf(LINKEDIN.post)).toEqual([]);
		n8n.sandbox.settings.failPrompt = '[fail]';
		expect((await retry(failed.id)).status).toBe('success');
		expect(others.callsOf(LINKEDIN.post)).toHaveLength(1);
	});

	test('what LinkedIn refuses is posted by a retry, which pays for nothing', async () => {
		others.answerOnce(LINKEDIN.begin, { status: 500, body: { message: 'Later' } });
		const failed = await run('rssToLinkedin.json', 'Every morning', mine);
		expect([failed.status, failed.lastNode]).toEqual(['error', 'Post it']);
		expect((await retry(failed.id)).status).toBe('success');
		expect(n8n.sandbox.jobs).toHaveLength(1);
	});
});

/** The parameters of a node that sets these texts. */
function ideaOf(values: Record<string, string>) {
	const assignments = Object.entries(values).map(([name, value]) => ({
		id: name,
		name,
		type: 'string',
		value,
	}));
	return { parameters: { assignments: { assignments } } };
}

/** A feed of articles with these titles. */
function feedOf(...titles: string[]) {
	const items = titles.map((title) => {
		const link = `https://${SITE}/${encodeURIComponent(title)}`;
		return `<item><title>${title}</title><link>${link}</link><description>What happens in "${title}".</description></item>`;
	});
	return {
		headers: { 'content-type': 'application/rss+xml' },
		body: `<rss version="2.0"><channel><title>A blog</title>${items.join('')}</channel></rss>`,
	};
}
