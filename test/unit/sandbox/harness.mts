import axios from 'axios';

import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

interface CallOptions {
	/** Instead of the right key; `null` for no header. */
	authorization?: string | null;
	contentType?: string;
}

export const KEY = 'mg_sandbox_test';

const open = new Set<Sandbox>();

afterEach(async () => {
	await Promise.all([...open].map((sandbox) => sandbox.close()));
	open.clear();
});

/** A sandbox on a virtual clock, closed after the test: jobs are queued for 1 s and take 5 s. */
export async function openSandbox(settings: SandboxSettingsInput = {}) {
	const clock = new VirtualClock();
	const jobMs = { min: 5000, max: 5000 };
	const sandbox = await startSandbox({ key: KEY, clock, jobMs, ...settings });
	open.add(sandbox);

	const call = async (method: string, path: string, body?: unknown, options: CallOptions = {}) => {
		const { authorization = `Bearer ${KEY}`, contentType = 'application/json' } = options;
		const answer = await axios.request<Buffer>({
			method,
			url: sandbox.url + path,
			headers: {
				Authorization: authorization,
				...(body !== undefined && { 'Content-Type': contentType }),
			},
			// A text is sent as it is.
			data: typeof body === 'string' || body === undefined ? body : JSON.stringify(body),
			transformRequest: (data: unknown) => data,
			responseType: 'arraybuffer',
			validateStatus: () => true,
		});
		const isJson = String(answer.headers['content-type']).includes('json');
		return {
			status: answer.status,
			headers: answer.headers,
			bytes: answer.data,
			body: isJson ? JSON.parse(answer.data.toString()) : undefined,
		};
	};

	return {
		sandbox,
		settings: sandbox.settings,
		account: sandbox.account,
		journal: sandbox.journal,
		clock,
		get: (path: string, options?: CallOptions) => call('GET', path, undefined, options),
		post: (path: string, body?: unknown, options?: CallOptions) =>
			call('POST', path, body, options),
		put: (path: string, body: unknown) => call('PUT', path, body),
		patch: (path: string, body: unknown) => call('PATCH', path, body),
		/** Starts an image and returns its identifier. */
		image: async (body: object = { prompt: 'a cat', size: '1:1' }): Promise<string> =>
			(await call('POST', '/api/v1/generate/', body)).body.data.generation_id,
		/** The generation record. */
		record: async (id: string) => (await call('GET', `/api/v1/generate/${id}/`)).body,
	};
}
