import { IMAGE, openSandbox, UNIFIED } from './harness.mts';

const NO_KEY = { authorization: undefined };

const finished = async (path: string, body: object) => {
	const opened = await openSandbox();
	const { id } = await opened.create(path, body);
	await opened.clock.advance(5000);
	const load = async (ending: string) => await opened.get(`/media/${id}${ending}`, NO_KEY);
	return { ...opened, id, load };
};

test.each([
	[IMAGE, { size: '3:2' }, '.png', [640, 360]],
	[IMAGE, { size: '2:3' }, '-thumbnail.png', [360, 640]],
	[UNIFIED, { aspectRatio: '1:1' }, '.png', [480, 480]],
])('a picture: %s with %j at %s is %j', async (path, body, ending, [width, height]) => {
	const { load } = await finished(path, { prompt: 'a cat', ...body });
	const { status, headers, bytes } = await load(ending);
	expect([status, headers['content-type']]).toEqual([200, 'image/png']);
	expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
	// The first chunk, the header, begins with them.
	expect([bytes.readUInt32BE(16), bytes.readUInt32BE(20)]).toEqual([width, height]);
});

test.each([
	['landscape', 320, 180],
	['portrait', 180, 320],
	['square', 240, 240],
])('a video, %s: an MP4 of %d×%d', async (aspect_ratio, width, height) => {
	const body = { prompt: 'a kite', aspect_ratio, quality: 'high' };
	const { load } = await finished('/api/v1/vidC/generate/text-to-video/', body);
	const { status, headers, bytes } = await load('.mp4');
	expect([status, headers['content-type']]).toEqual([200, 'video/mp4']);
	expect(bytes.toString('latin1', 4, 8)).toBe('ftyp');
	// The visual sample entry has them 24 bytes after its name.
	const entry = bytes.lastIndexOf('avc1') + 28;
	expect([bytes.readUInt16BE(entry), bytes.readUInt16BE(entry + 2)]).toEqual([width, height]);
	expect((await load('-thumbnail.png')).status).toBe(200);
	expect((await load('.mov')).status).toBe(404);
});

test('files are there once the job is completed', async () => {
	const { get, image, clock, sandbox } = await openSandbox();
	const ids = [await image(), await image('[fail]')];
	const statuses = async () =>
		await Promise.all(ids.map(async (id) => (await get(`/media/${id}.png`, NO_KEY)).status));
	expect(await statuses()).toEqual([404, 404]);
	await clock.advance(5000);
	expect(await statuses()).toEqual([200, 404]);
	expect(sandbox.journal.ofKind('media')).toHaveLength(4);
});
