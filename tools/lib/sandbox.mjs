import { onEnd } from './lifecycle.mjs';
import { importTypeScript } from './typeScript.mjs';

/**
 * Starts the simulated service in this process. It needs the development dependencies.
 *
 * @param {import('../../sandbox/settings.mts').SandboxSettingsInput} [settings]
 * @returns {Promise<import('../../sandbox/server.mts').Sandbox>}
 */
export async function startSandbox(settings) {
	const sandbox = await (await importTypeScript('sandbox/server.mts')).startSandbox(settings);
	onEnd(() => sandbox.close());
	return sandbox;
}
