import { jobOutput } from '../../../nodes/shared/output/jobOutput.ts';
import { resultUrls } from '../../../nodes/shared/output/resultUrls.ts';
import { sampled } from '../../support/sampled.mts';

const job = (record: object) =>
	({ id: 'x', state: 'completed', record, creation: {}, waitedMs: 0 }) as never;
const simplify = { simplify: true, resultField: '' };

function measured(record: object, origin: object = {}) {
	const bytes = JSON.stringify(record).length;
	const out = JSON.stringify(jobOutput(job(record), origin, simplify)).length;
	return { bytes, out };
}

describe('size of an item in proportion to the answer', () => {
	test('long names of fields around many short URLs', () => {
		let record: object = Object.fromEntries(
			Array.from({ length: 5000 }, (_, i) => [`u${i}`, `http://a/${i}`]),
		);
		for (let depth = 0; depth < 18; depth++) record = { ['n'.repeat(100)]: record };
		const { bytes, out } = measured({ status: 'completed', ...record }, { mediaType: 'image' });
		expect(out).toBeLessThan(20 * bytes);
	});

	test.each(sampled(['image', 'audio', 'text', undefined], 2))(
		'thousands of URLs, %s',
		(mediaType) => {
			const record = {
				items: Array.from({ length: 5000 }, (_, i) => ({
					id: i,
					audio_url: `http://a/${i}.mp3`,
					image: `http://a/${i}.png`,
				})),
			};
			const { bytes, out } = measured(record, { mediaType });
			expect(out).toBeLessThan(10 * bytes);
		},
	);

	test('deep nesting', () => {
		let record: object = { url: 'http://a/x' };
		for (let i = 0; i < 5000; i++) record = i % 2 ? [record] : { a: record };
		expect(() => resultUrls(job({ status: 'completed', record }), {}, '')).not.toThrow();
		expect(() => jobOutput(job({ status: 'completed', record }), {}, simplify)).not.toThrow();
	});

	test('names of objects', () => {
		const record = JSON.parse(
			'{"__proto__": {"url": "http://a/p.png"}, "constructor": {"url":"http://a/c.png"}, "toString": "http://a/t.png", "data": {"__proto__": ["http://a/l.png"]}, "generation_type": "__proto__"}',
		) as object;
		const json = jobOutput(job(record), {}, simplify);
		expect(Object.getPrototypeOf(json)).toBe(Object.prototype);
	});
});

describe('URLs that are none', () => {
	test.each([
		'javascript:alert(1)//http://a/x.png',
		'data:text/html,http://a',
		'JAVASCRIPT:http://x',
		' file:///etc/passwd',
		'http://',
		'http://a b',
		'https:\\\\evil.example\\x.png',
		'http:/evil.example/x.png',
		'http:evil',
	])('%j', (url) => {
		const json = jobOutput(
			job({ status: 'completed', image_url: url }),
			{ mediaType: 'image' },
			simplify,
		);
		if (json.mediaUrl !== null) expect(String(json.mediaUrl)).toMatch(/^https?:\/\//i);
	});
});
