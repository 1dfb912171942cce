import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import { CREDITS, IMAGE, openSandbox, UNIFIED } from './harness.mts';

const RESET: FaultRuleInput['fault'] = { kind: 'reset' };
const STATUS_500: FaultRuleInput['fault'] = { kind: 'status', status: 500 };

async function openWith(...rules: FaultRuleInput[]) {
	const opened = await openSandbox();
	for (const rule of rules) opened.sandbox.faults.add(rule);
	/** Resolves when a request has arrived and has met its fault. */
	const arrival = async () => {
		while (opened.sandbox.journal.entries.length === 0) await new Promise(setImmediate);
	};
	return { ...opened, arrival, make: () => opened.create(IMAGE, { prompt: 'a cat' }) };
}

test.each([
	['before', 0, 1000],
	['after', 1, 992],
] as const)('reset %s: %d jobs', async (when, jobs, purchased) => {
	const { make, sandbox } = await openWith({ match: { kind: 'create' }, fault: RESET, when });
	await expect(make()).rejects.toMatchObject({ code: 'ECONNRESET' });
	expect(sandbox.jobs).toHaveLength(jobs);
	expect(sandbox.account.credits.purchased).toBe(purchased);
	expect(sandbox.journal.entries).toMatchObject([
		{ operation: 'image.generate', status: null, fault: 'reset' },
	]);
});

test('status: a body of its own, or the documented one', async () => {
	const page = '<html>Bad Gateway</html>';
	const headers = { location: '/elsewhere', 'retry-after': '7' };
	const { make, sandbox } = await openWith(
		{ fault: { kind: 'status', status: 502, body: page }, times: 1 },
		{ fault: STATUS_500, times: 1 },
		{ fault: { kind: 'status', status: 503, body: { a: 1 }, headers } },
	);
	const html = await make();
	expect([html.status, html.bytes.toString()]).toEqual([502, page]);
	expect(html.headers['content-type']).toContain('text/html');
	expect((await make()).body).toEqual({ success: false, error: 'Server error' });
	expect(await make()).toMatchObject({ status: 503, body: { a: 1 }, headers });
	expect(sandbox.jobs).toEqual([]);
});

test('garbage: the status of a success with half a body', async () => {
	const { sandbox, make } = await openWith({ fault: { kind: 'garbage' }, when: 'after' });
	await expect(make()).rejects.toThrow(SyntaxError);
	expect(sandbox.journal.entries).toMatchObject([{ status: 201 }]);
	expect(sandbox.jobs).toHaveLength(1);
});

test('slow: the true answer, later', async () => {
	const { make, arrival, clock, sandbox } = await openWith({ fault: { kind: 'slow', ms: 60_000 } });
	const answer = make();
	await arrival();
	await clock.advance(59_999);
	expect(sandbox.jobs).toEqual([]);
	await clock.advance(1);
	expect((await answer).status).toBe(201);
	expect(sandbox.jobs).toMatchObject([{ createdAt: clock.now() }]);
});

test('hang: no answer, and closing does not wait for it', async () => {
	const { make, arrival, sandbox } = await openWith({ fault: { kind: 'hang' } });
	const hanging = make().catch((error: Error) => error);
	await arrival();
	await sandbox.close();
	expect(await hanging).toMatchObject({ code: 'ECONNRESET' });
});

test('times and match', async () => {
	const { make, get, create, sandbox } = await openWith(
		{ match: { operation: 'image.generate', method: 'POST' }, fault: STATUS_500, times: 2 },
		{ match: { pathPattern: 'models/' }, fault: STATUS_500 },
		{ match: { kind: 'record', pathPattern: /nowhere/ }, fault: STATUS_500 },
		{ match: { bodyPattern: 'a dog' }, fault: STATUS_500 },
	);
	expect([(await make()).status, (await make()).status, (await make()).status]).toEqual([
		...[500, 500, 201],
	]);
	expect((await get('/api/v1/models/image/')).status).toBe(500);
	expect((await get(CREDITS)).status).toBe(200);
	expect((await create(UNIFIED, { prompt: 'a dog' })).status).toBe(500);
	sandbox.faults.clear();
	expect((await create(UNIFIED, { prompt: 'a dog' })).status).toBe(201);
});

test('probability: by the seed', async () => {
	const statuses = async () => {
		const { get } = await openWith({ fault: STATUS_500, probability: 0.5 });
		const seen = [];
		for (let sent = 0; sent < 20; sent++) seen.push((await get(CREDITS)).status);
		return seen;
	};
	const first = await statuses();
	expect(new Set(first)).toEqual(new Set([200, 500]));
	expect(await statuses()).toEqual(first);
});
