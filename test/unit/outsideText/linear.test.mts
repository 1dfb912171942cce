import { jobOutput } from '../../../nodes/shared/output/jobOutput.ts';
import { listIn, parseJson } from '../../../nodes/shared/service/bodies.ts';
import { mediaFileName } from '../../../nodes/shared/files/media.ts';
import { readRequest } from '../../../nodes/shared/request/readRequest.ts';
import { cleanText, withoutSecrets } from '../../../nodes/shared/service/shownText.ts';
import { refusal } from '../../../nodes/shared/service/serviceError.ts';
import { operationNamed } from '../../support/operations.mts';
import { workOf } from '../../support/work.mts';

/**
 * What comes from outside may be megabytes of whatever takes longest. Every reader of it is linear:
 * twice the size is twice the work, counted, not timed.
 */

const numbered = (count: number) => Array.from({ length: count }, (_, index) => index);

const outputOf = (record: Record<string, unknown>) =>
	jobOutput(
		{ id: 'j', state: 'completed', record, waitedMs: 0 },
		{ mediaType: 'audio' },
		{
			simplify: true,
			resultField: '',
		},
	);

const urlList = operationNamed('standardVideo.generate');

const readUrls = (text: string) =>
	readRequest(urlList, (name, fallback) =>
		name === 'additionalFields' ? { source_image_urls: text } : fallback,
	);

const URL_1 = 'https://cdn.example/a.mp3';

const READERS: Record<string, (size: number) => unknown> = {
	'URLs in a field, with spaces': (size) => readUrls(`${' '.repeat(size)}x`),
	'URLs in a field, with commas': (size) => readUrls(`${URL_1}${','.repeat(size)}`),
	'the file name in a URL, with dots': (size) =>
		mediaFileName('a', '', `https://a/${'.'.repeat(size)}x`),
	'the file name in a URL, with marks': (size) =>
		mediaFileName('a', '', `https://a/a${'\u0315\u0300'.repeat(size)}`),
	'takes under a name with dots': (size) => outputOf({ [`a${'.b'.repeat(size)}`]: URL_1 }),
	'takes under a name with brackets': (size) => outputOf({ [`a${'[0]'.repeat(size)}`]: URL_1 }),
	'many takes': (size) =>
		outputOf({ takes: numbered(size).map((id) => ({ id, url: URL_1 + id })) }),
	'URLs with long file names': (size) => outputOf({ a: `https://a/${'.'.repeat(size)}`, b: URL_1 }),
	'many URLs at many paths': (size) =>
		outputOf(Object.fromEntries(numbered(size).map((id) => [`audio${id}`, { url: URL_1 + id }]))),
	'a type of media that says all': (size) =>
		jobOutput(
			{
				id: 'j',
				state: 'completed',
				record: { generation_type: 'image-to-video'.repeat(size), url: URL_1 },
				waitedMs: 0,
			},
			{},
			{ simplify: true, resultField: '' },
		),
	'many URLs under a long name': (size) =>
		outputOf({ ['n'.repeat(size)]: numbered(size).map((id) => URL_1 + id) }),
	'a list body': (size) => listIn({ results: numbered(size), other: '[]'.repeat(size) }),
	'a text to be shown': (size) => cleanText(`${' \u202e'.repeat(size)}x`),
	'a refusal': (size) =>
		refusal(
			400,
			JSON.stringify({ details: Object.fromEntries(numbered(size).map((id) => [id, [id]])) }),
		),
	'an answer that has a key everywhere': (size) =>
		withoutSecrets(`key ${'secret '.repeat(size)}`, ['secret']),
	'a text that is JSON': (size) => parseJson(`[${'1,'.repeat(size)}1]`),
};

test.each(Object.entries(READERS))('%s: twice the size, twice the work', async (_, read) => {
	const [short, long] = [await workOf(() => read(500)), await workOf(() => read(1000))];
	expect(long / short).toBeLessThan(2.5);
});
