import { openSandbox } from './harness.mts';

const IMAGE = '/api/v1/generate/';

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
