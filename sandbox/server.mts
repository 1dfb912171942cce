import type { AddressInfo } from 'node:net';

import type { Account } from './account.mts';
import { createSandboxApp } from './app.mts';
import type { Faults } from './faults.mts';
import type { Job } from './jobs.mts';
import type { Journal } from './journal.mts';
import type { SandboxSettings, SandboxSettingsInput } from './settings.mts';
import { newState } from './state.mts';

export interface Sandbox {
	/** Base URL, without a slash at the end. */
	readonly url: string;
	/** A valid API key, until the next reset. */
	readonly key: string;
	/** May be changed at any time, whole or in part. */
	readonly settings: SandboxSettings;
	readonly account: Account;
	/** All jobs that were created, oldest first. */
	readonly jobs: readonly Job[];
	readonly journal: Journal;
	readonly faults: Faults;
	/**
	 * Back to how it started: no jobs, no journal, no faults, first credits, first settings; with a
	 * new key, session and auth token unless they were given.
	 */
	reset(): void;
	/** Ends at once, whatever connections are open. */
	close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

/**
 * Starts the simulated service on the loopback interface.
 *
 * @throws ZodError when a setting is not one; Error (`EADDRINUSE`) when the port is taken
 */
export async function startSandbox(settings: SandboxSettingsInput = {}): Promise<Sandbox> {
	const state = newState(settings);
	const app = createSandboxApp(state);
	await app.listen({ host: LOOPBACK, port: state.settings.port });
	const { port } = app.server.address() as AddressInfo;
	return {
		url: `http://${LOOPBACK}:${port}`,
		get key() {
			return state.settings.key;
		},
		settings: state.settings,
		account: state.account,
		get jobs() {
			return state.jobs.list;
		},
		journal: state.journal,
		faults: state.faults,
		reset: () => state.reset(),
		close: () => app.close(),
	};
}
