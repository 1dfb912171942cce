import axios from 'axios';

import { startSandbox, type Sandbox } from '../../../sandbox/server.mts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

export const KEY = 'mg_sandbox_test';
export const CDN = 'https://cdn.example';
export const IMAGE = '/api/v1/generate/';
/** A creation of whose answer the document shows nothing. */
export const UNIFIED = '/api/v1/image/generate';
export const HISTORY = '/api/v1/generate/history/';
export const STUDIO = '/api/v1/video-studio/';
export const PROFILE = '/api/profile/';
export const CREDITS = '/payments/api/credits/';

const open = new Set<Sandbox>();

afterEach(async () => {
	await Promise.all([...open].map((sandbox) => sandbox.close()));
	open.clear();
});

/** A sandbox on a virtual clock, closed after the test: jobs are queued for 1 s and take 5 s. */
export async function openSandbox(settings: SandboxSettingsInput = {}) {
	const clock = new VirtualClock();
	const jobMs = { min: 5000, max: 5000 };
	const sandbox = await startSandbox({ key: KEY, clock, jobMs, mediaBase: CDN, ...settings });
	open.add(sandbox);

	/** @param more headers; undefined for none of that name */
	const call = async (method: string, path: string, data?: unknown, more: object = {}) => {
		const answer = await axios.request<Buffer>({
			method,
			url: sandbox.url + path,
			headers: { authorization: `Bearer ${KEY}`, ...more },
			data,
			responseType: 'arraybuffer',
			validateStatus: () => true,
		});
		const isJson = String(answer.headers['content-type']).includes('json');
		const body = isJson ? JSON.parse(answer.data.toString()) : undefined;
		return { status: answer.status, headers: answer.headers, bytes: answer.data, body };
	};
	const create = async (path: string, body: object) => {
		const answer = await call('POST', path, body);
		return { ...answer, id: String(sandbox.jobs.at(-1)?.id) };
	};
	return {
		sandbox,
		clock,
		call,
		create,
		get: async (path: string, more?: object) => await call('GET', path, undefined, more),
		/** Starts an image and returns its identifier. */
		image: async (prompt = 'a cat') => (await create(IMAGE, { prompt, size: '1:1' })).id,
		/** The generation record. */
		record: async (id: string) => (await call('GET', `${IMAGE}${id}/`)).body,
	};
}
