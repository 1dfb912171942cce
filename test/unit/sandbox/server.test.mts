import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';

/** The simulated service over sockets; what it answers is in `test/unit/document`. */

let sandbox: Sandbox;

async function open(settings: SandboxSettingsInput = {}) {
	sandbox = await startSandbox(settings);
	return async (method: string, path: string, body?: object) => {
		const answer = await fetch(sandbox.url + path, {
			method,
			headers: { authorization: `Bearer ${sandbox.key}`, 'content-type': 'application/json' },
			body: body && JSON.stringify(body),
		});
		return { status: answer.status, body: await answer.json() };
	};
}

afterEach(async () => await sandbox.close());

test('the control route changes settings, refuses others, and a reset goes back to the start', async () => {
	const call = await open();
	const patch = { openPrice: 3, shapes: { list: { body: 'none' } } };
	expect(await call('PATCH', '/sandbox/settings', patch)).toMatchObject({
		status: 200,
		body: patch,
	});
	expect((await call('PATCH', '/sandbox/settings', { colour: 'red' })).status).toBe(400);
	expect(sandbox.settings.shapes.list.body).toBe('none');
	sandbox.faults.add({ fault: { kind: 'reset' } });
	await expect(call('GET', '/api/profile/')).rejects.toThrow();
	sandbox.reset();
	expect(sandbox.settings.shapes.list.body).toBe('array');
	expect((await call('GET', '/api/profile/')).status).toBe(200);
});
