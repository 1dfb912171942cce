import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { BASE_URL } from '../../support/virtualNetwork.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** A job is completed, and its record has no URL, or one without a host: that is no silent success. */

const FAMILY_A = {
	resource: 'vidA31',
	operation: 'generate',
	prompt: 'a',
	model: 'modelA_fast',
	aspectRatio: '16:9',
};

type Data = Record<string, unknown>;

/** @param tell what a completed record says in place of its own */
async function ran(tell: (data: Data) => Data, more: IDataObject = {}) {
	const n8n = new VirtualN8n({
		settings: { jobMs: { min: 2000, max: 2000 } },
		retell: (answer: unknown, { method }: IHttpRequestOptions) => {
			const { data } = answer as { data?: Data };
			return method === 'GET' && data?.status === 'completed'
				? { success: true, data: tell(data) }
				: answer;
		},
	});
	const parameters = { ...FAMILY_A, options: {}, ...more };
	const run = n8n.execute({ items: [{}], parameters, kind: 'video' });
	const { items, error, hints } = await n8n.clock.run(run);
	const [job] = n8n.state.jobs.list;
	expect(error).toBeUndefined();
	expect(n8n.state.jobs.list).toHaveLength(1);
	return {
		json: items[0]!.json,
		id: job!.id,
		hints: hints.map(({ message }) => message),
		text: hints.map(({ message }) => message).join('\n'),
		key: n8n.state.settings.key,
	};
}

const URL_1 = 'https://cdn.example/x.mp4';
const without = ({ video_url: _, ...data }: Data): Data => data;

test('the record is in the item, and a warning has id, field and option', async () => {
	const { json, id, hints } = await ran((data) => ({ ...without(data), note: 'soon' }));
	expect(json).toMatchObject({
		mediaUrl: null,
		status: 'completed',
		jobId: id,
		result: { note: 'soon', resolution: '1080p', duration: 8 },
	});
	const [warning] = hints.filter((text) => text.includes('has no URL'));
	expect(warning).toContain(`job ${id} is completed`);
	expect(warning).toContain('no URL at video_url');
	expect(warning).toContain('Options > Result Field');
});

test('another URL in the place of the documented one is given out, and said to be that', async () => {
	const { json, text } = await ran((data) => ({ ...without(data), cover_url: `${URL_1}.jpg` }));
	expect(json.mediaUrl).toBe(`${URL_1}.jpg`);
	expect(text).toContain('no URL at video_url');
	expect(text).toContain('mediaUrl is the URL at cover_url');
});

test.each([
	['a path', '/media/x.mp4', `${BASE_URL}/media/x.mp4`],
	['a path with a query', '/media/x.mp4?sig=1', `${BASE_URL}/media/x.mp4?sig=1`],
	['no scheme', '//cdn.example/x.mp4', URL_1],
])('%s is resolved against the Base URL, with a hint', async (_, url, whole) => {
	const { json, text } = await ran((data) => ({ ...data, video_url: url }));
	expect(json).toMatchObject({ mediaUrl: whole, mediaUrls: [whole] });
	expect(text).toContain('an address without its host at video_url');
	expect(text).toContain('from the Base URL');
});

test.each([
	'cdn.example/x.mp4',
	'x.mp4',
	'/',
	'/\\evil.example/x.mp4',
	'ftp://a/x.mp4',
	'/\t/evil/x',
])('%j is not guessed at', async (url) => {
	const { json, text } = await ran((data) => ({ ...data, video_url: url }));
	expect(json).toMatchObject({ mediaUrl: null, result: { video_url: url } });
	expect(text).toContain('no URL at video_url');
});

test('an absolute URL goes before it', async () => {
	const { json, text } = await ran((data) => ({ ...data, video_url: URL_1, url: '/other.mp4' }));
	expect(json).toMatchObject({ mediaUrl: URL_1, mediaUrls: [URL_1] });
	expect(text).not.toContain('Base URL');
});
