import type { AddressInfo } from 'node:net';

import { createSandboxApp } from './app.mts';
import type { Job } from './jobs.mts';
import type { SandboxSettingsInput } from './settings.mts';
import { newState } from './state.mts';

export type Sandbox = Readonly<Awaited<ReturnType<typeof startSandbox>>>;

const LOOPBACK = '127.0.0.1';

/**
 * Starts the simulated service on the loopback interface.
 *
 * @throws ZodError when a setting is not one; Error (`EADDRINUSE`) when the port is taken
 */
export async function startSandbox(settings: SandboxSettingsInput = {}) {
	const state = newState(settings);
	const app = createSandboxApp(state);
	await app.listen({ host: LOOPBACK, port: state.settings.port });
	const { port } = app.server.address() as AddressInfo;
	return {
		/** Base URL, without a slash at the end. */
		url: `http://${LOOPBACK}:${port}`,
		/** A valid API key, until the next reset. */
		get key() {
			return state.settings.key;
		},
		/** May be changed at any time, whole or in part. */
		settings: state.settings,
		account: state.account,
		/** All jobs that were created, oldest first. */
		get jobs(): readonly Job[] {
			return state.jobs.list;
		},
		get journal() {
			return state.journal;
		},
		get faults() {
			return state.faults;
		},
		reset: state.reset,
		/** Ends at once, whatever connections are open. */
		close: () => app.close(),
	};
}
