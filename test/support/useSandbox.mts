import { startSandbox, type Sandbox } from '../../sandbox/server.mts';
import type { SandboxSettingsInput } from '../../sandbox/settings.mts';
import { standIn } from './standIn.mts';

/**
 * Starts the sandbox before the tests of a file, and ends it after them. Each test finds it as it started.
 *
 * @returns stands for the started sandbox; to be used in tests and hooks only
 */
export function useSandbox(settings?: SandboxSettingsInput): Sandbox {
	let started: Sandbox | undefined;
	const sandbox = standIn(() => started, 'The sandbox');
	beforeAll(async () => {
		started = await startSandbox(settings);
	});
	afterAll(async () => {
		await started?.close();
	});
	beforeEach(() => sandbox.reset());
	return sandbox;
}
