import { urlFile } from '../../../nodes/shared/upload/urlFile.ts';
import { wavFile } from '../../support/audioFiles.mts';
import { fakeContext, type FakeAnswer } from './fakeContext.mts';

/** A file behind a URL, on its way to the service: each address it leads to is checked. */

const wav = wavFile({ seconds: 1 });
const START = 'https://files.example/song.wav?signature=1';

const to = (location: string): FakeAnswer => ({
	statusCode: 302,
	headers: { location },
	body: { size: 0, chunks: () => [] },
});

async function open(answers: Record<string, FakeAnswer>, mayBePrivate = false, url = START) {
	const { context, asked } = fakeContext({}, answers);
	const opened = await urlFile(context.helpers, url, mayBePrivate)
		.open()
		.then(
			(file) => ({ file }),
			(error: Error & { outcome?: string }) => ({ error }),
		);
	return { asked, file: undefined, error: undefined, ...opened };
}

test('redirects are followed here, not by the client, and the name stays', async () => {
	const { asked, file } = await open({
		[START]: to('/b'),
		'https://files.example/b': to('https://cdn.example/c'),
		'https://cdn.example/c': { body: wav },
	});
	expect(file?.name).toBe('song.wav');
	expect(asked.map(({ url }) => url)).toEqual([
		START,
		'https://files.example/b',
		'https://cdn.example/c',
	]);
	expect(asked.every(({ disableFollowRedirect }) => disableFollowRedirect)).toBe(true);
});

test.each([
	[
		'http://169.254.169.254/latest/meta-data/',
		'is inside a private network, and the service is not',
	],
	['http://localhost/a.wav', 'is inside a private network, and the service is not'],
	['http://[::ffff:a00:1]/a.wav', 'is inside a private network, and the service is not'],
	['file:///etc/passwd', 'is no http or https address'],
	['http://', 'is no http or https address'],
])('a redirect to %s is not followed', async (location, reason) => {
	const { asked, error } = await open({ [START]: to(location) });
	expect(error).toMatchObject({
		message: `The file https://files.example/song.wav could not be uploaded: its address ${reason}`,
		outcome: 'notSent',
	});
	expect(asked).toHaveLength(1);
	expect(asked[0]?.signal?.aborted).toBe(true);
});

test('an address inside a private network is not asked, unless the service is in one', async () => {
	const inside = 'http://10.0.0.1/a.wav';
	expect((await open({ [inside]: { body: wav } }, false, inside)).asked).toEqual([]);
	const { file } = await open({ [START]: to(inside), [inside]: { body: wav } }, true);
	expect(file?.type).toBe('audio/wav');
});

/** User info is a password, a query often a signature. */
test('an error shows neither user info nor a query', async () => {
	const url = 'https://alice:pw-4711@files.example/a.wav?X-Amz-Signature=S1#S1';
	const { error } = await open({ [url]: { statusCode: 403, body: wav } }, false, url);
	expect(error?.message).toBe(
		'The file https://files.example/a.wav could not be uploaded: its address answered with status 403',
	);
});

test('redirects without end', async () => {
	const { asked, error } = await open({ [START]: to(START) });
	expect(error?.message).toContain('its address redirects more than 3 times');
	expect(asked).toHaveLength(4);
});
