import axios from 'axios';

import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';
import { CREDITS, HISTORY, IMAGE, openSandbox } from './harness.mts';

/** All that shows who sends a request. */
const secretsOf = ({ account }: Sandbox) => [
	...account.keys,
	account.session.id,
	account.session.csrfToken,
	...account.authTokens,
];

test('it listens on the loopback interface, with a key of its own', async () => {
	const sandbox = await startSandbox();
	expect(sandbox.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
	expect(sandbox.key).toMatch(/^mg_sandbox_[\w-]{24}$/);
	const { data } = await axios.get(sandbox.url + CREDITS, {
		headers: { authorization: sandbox.key },
	});
	expect(data).toMatchObject({ credits_balance: 1050 });
	const port = Number(new URL(sandbox.url).port);
	await expect(startSandbox({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
	await sandbox.close();
});

test('it keeps a journal', async () => {
	const { call, create, get, sandbox } = await openSandbox();
	await create(IMAGE, { prompt: 'a cat' });
	await get(`${HISTORY}?limit=1`);
	await call('POST', IMAGE, 'no json', { 'content-type': 'application/json' });
	const operation = 'image.generate';
	expect(sandbox.journal.entries).toMatchObject([
		{ method: 'POST', path: IMAGE, body: { prompt: 'a cat' }, status: 201, operation },
		{ path: HISTORY, query: { limit: '1' }, status: 200, kind: 'list' },
		{ body: 'no json', status: 400 },
	]);
	expect(sandbox.journal.ofKind('create')).toHaveLength(2);
});

test.each([
	['GET', '/api/v1/nothing/'],
	['GET', '/api/v1/generate'],
	['GET', '/api/v1/generate/%ZZ/'],
	['PUT', IMAGE],
	['POST', '/open/music/karaoke/'],
])('%s %s is not there', async (method, path) => {
	const { call } = await openSandbox();
	expect(await call(method, path, {})).toMatchObject({
		status: 404,
		body: { success: false, error: 'Resource does not exist' },
	});
});

test('a reset goes back to the start, with new secrets where none were given', async () => {
	const sandbox = await startSandbox({ authToken: 't1' });
	const before = secretsOf(sandbox);
	sandbox.faults.add({ fault: { kind: 'reset' } });
	sandbox.settings.limits.requestsPerWindow = 1;
	sandbox.account.keys.clear();
	sandbox.reset();
	expect(sandbox.faults.rules).toEqual([]);
	expect(sandbox.settings.limits.requestsPerWindow).toBe(100);
	expect(secretsOf(sandbox)[0]).toBe(sandbox.key);
	expect(secretsOf(sandbox).filter((secret) => before.includes(secret))).toEqual(['t1']);
	await sandbox.close();
});

test('the control route changes settings, without a key', async () => {
	const { call, sandbox } = await openSandbox();
	const patch = { openPrice: 3, shapes: { list: { body: 'none' } }, credits: { purchased: 7 } };
	sandbox.settings.shapes.list.pageSize = 5;
	const { status, body } = await call('PATCH', '/sandbox/settings', patch, {
		authorization: undefined,
	});
	expect(status).toBe(200);
	expect(body).toMatchObject(patch);
	expect(body).not.toHaveProperty('key');
	expect(sandbox.settings.shapes.list).toMatchObject({ body: 'none', pageSize: 5 });
	expect(sandbox.account.credits).toEqual({ purchased: 7, welcome: 50 });
});

test.each([
	...[{ port: 1 }, { key: 'x' }, { colour: 'red' }, { queuedMs: -1 }, []],
	...[{ maxPage: 0 }, { lagMs: { min: 2, max: 1 } }, { entries: { colour: 'red' } }].map(
		(list) => ({
			shapes: { list },
		}),
	),
])('it refuses %j', async (patch) => {
	const { call, sandbox } = await openSandbox();
	const before = structuredClone(sandbox.settings.shapes);
	const { status, body } = await call('PATCH', '/sandbox/settings', patch);
	expect([status, body]).toEqual([400, { success: false, error: expect.any(String) }]);
	expect(sandbox.settings.shapes).toEqual(before);
});
