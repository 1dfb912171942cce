import * as server from '../../sandbox/server.mts';
import { onEnd } from './lifecycle.mjs';

/**
 * Starts the simulated service in this process.
 *
 * @param {import('../../sandbox/settings.mts').SandboxSettingsInput} [settings]
 * @returns {Promise<import('../../sandbox/server.mts').Sandbox>}
 */
export async function startSandbox(settings) {
	const sandbox = await server.startSandbox(settings);
	onEnd(() => sandbox.close());
	return sandbox;
}
