import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import type { SandboxSettingsInput } from '../../sandbox/settings.mts';
import { useStarted } from './useStarted.mts';

/** The sandbox, for the tests of a file. Each finds it as it started. */
export const useSandbox = (settings?: SandboxSettingsInput): Sandbox =>
	useStarted(
		async () => await startSandbox(settings),
		(sandbox) => sandbox.reset(),
		async (sandbox) => await sandbox.close(),
	);
