import type { Sandbox } from '../../sandbox/server.mts';
import * as server from '../../sandbox/server.mts';
import type { SandboxSettingsInput } from '../../sandbox/settings.mts';
import { onEnd } from './lifecycle.mjs';

/** Starts the simulated service in this process. */
export async function startSandbox(settings?: SandboxSettingsInput): Promise<Sandbox> {
	const sandbox = await server.startSandbox(settings);
	onEnd(() => sandbox.close());
	return sandbox;
}
