import { MADE_UP_CATALOG } from '../../support/madeUpOperations.mts';
import { openSandbox } from './harness.mts';

const IMAGE = '/api/v1/generate/';
const FAMILY = '/vidZ/generate/';

describe('validation', () => {
	it('answers 400 with a message for each field', async () => {
		const { post, sandbox, account } = await openSandbox();
		const answer = await post(IMAGE, { size: '4:3', quality: 'best' });
		expect(answer.status).toBe(400);
		expect(answer.body).toEqual({
			success: false,
			error: 'Some fields are missing or not valid.',
			details: {
				size: 'Must be one of: 1:1, 3:2, 2:3.',
				quality: 'Unknown field.',
			},
		});
		expect(sandbox.jobs).toEqual([]);
		expect(account.charges).toEqual([]);
	});

	it.each([
		['malformed JSON', '{"prompt": "a cat"'],
		['an array', ['a cat']],
		['a text', '"a cat"'],
		['nothing', undefined],
	])('refuses %s as a body', async (_, body) => {
		const { post } = await openSandbox();
		const answer = await post(IMAGE, body);
		expect(answer.status).toBe(400);
		expect(answer.body).toEqual({ success: false, error: 'The request is malformed.' });
	});

	it('refuses a body that is not sent as JSON', async () => {
		const { post } = await openSandbox();
		const answer = await post(IMAGE, '{"prompt": "a cat"}', { contentType: 'text/plain' });
		expect(answer.status).toBe(400);
	});

	const url = 'https://media.example/a.png';
	const text = { mode: 'text', prompt: 'a cat', model: 'fast', seconds: 5 };
	const image = { ...text, mode: 'image', image_url: url };

	it.each<[string, object]>([
		['bounds', { ...text, seconds: 3 }],
		['bounds', { ...text, seconds: 15 }],
		['steps', { ...text, weight: 0.29 }],
		['a field that applies', { ...text, model: 'fine', frames: [url] }],
		['as many characters as allowed', { ...text, prompt: 'x'.repeat(40) }],
		['one of two fields', image],
		[
			'the other',
			{ ...image, model: 'fine', image_url: undefined, frames: ['http://a.example/b'] },
		],
		['a condition that is met', { ...text, style: 'custom', style_text: 'ink' }],
		['an order', { ...text, loop_from: 1, loop_to: 2 }],
		['the other order, which nothing forbids', { ...text, loop_from: 2, loop_to: 2 }],
		['a field that another one may not be without', { ...text, loop_to: 2 }],
	])('accepts %s: %j', async (_, body) => {
		const { post } = await openSandbox({ catalogs: [MADE_UP_CATALOG] });
		expect((await post(FAMILY, body)).status).toBe(201);
	});

	it.each<[string, object, string]>([
		['seconds', { ...text, seconds: 2 }, 'This value must be >= 3.'],
		['seconds', { ...text, seconds: 16 }, 'This value must be <= 15.'],
		['seconds', { ...text, seconds: 3.5 }, 'This value must be integer.'],
		['seconds', { ...text, seconds: '5' }, 'This value must be integer.'],
		['weight', { ...text, weight: 0.295 }, 'Must be in steps of 0.01.'],
		['sound', { ...text, sound: 'true' }, 'This value must be boolean.'],
		['model', { ...text, model: 'slow' }, 'Must be one of: fast, fine.'],
		['prompt', { ...text, prompt: 'x'.repeat(41) }, 'must NOT have more than 40 characters'],
		['frames', { ...text, frames: [url] }, 'This field does not apply to this request.'],
		['mode', { ...text, mode: 'sound' }, 'Must be one of: text, image.'],
		['mode', { prompt: 'a cat' }, 'This field is required.'],
		['image_url', { ...image, image_url: 'a.png' }, 'Must be a URL'],
		['frames', { ...image, model: 'fine', frames: ['a.png'] }, 'Must be a URL'],
		['frames', { ...image, model: 'fine', frames: [url, url, url] }, 'NOT have more than 2 items'],
		['frames', { ...image, image_url: undefined }, 'One of these is required: image_url, frames.'],
		['style_text', { ...text, style: 'custom' }, 'This field is required.'],
		['loop_to', { ...text, loop_from: 2 }, 'This field is required with loop_from.'],
		['colour', { ...text, colour: 'red' }, 'Unknown field.'],
	])('refuses %s in %j', async (field, body, message) => {
		const { post } = await openSandbox({ catalogs: [MADE_UP_CATALOG] });
		const answer = await post(FAMILY, body);
		expect(answer.status).toBe(400);
		expect(answer.body.details[field]).toContain(message);
	});

	it.each(['limit=ten', 'limit=1&limit=2', 'colour=red', 'limit=1.5'])(
		'refuses the query %s',
		async (query) => {
			const { get } = await openSandbox();
			const answer = await get(`/api/v1/generate/history/?${query}`);
			expect(answer.status).toBe(400);
			expect(Object.keys(answer.body.details)).toEqual([query.split('=')[0]]);
		},
	);

	it.each([
		['GET', '/api/v1/nothing/'],
		['GET', '/api/v1/generate'],
		['GET', '/api/v1/image/generate'],
		['GET', '/api/v1/generate/%ZZ/'],
		['PUT', '/api/v1/generate/'],
		['POST', '/api/v1/image/generate/'],
	] as const)('answers 404 to %s %s', async (method, path) => {
		const { get, post, put } = await openSandbox();
		const send = { GET: get, POST: post, PUT: put }[method];
		const answer = await send(path, {});
		expect(answer.status).toBe(404);
		expect(answer.body).toEqual({ success: false, error: 'Resource does not exist' });
	});
});
