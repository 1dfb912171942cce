import type { SandboxSettings } from '../../sandbox/settings.mts';
import type { N8nRuns } from './n8nRuns.mts';
import { startRealN8n, type RealN8n, type RealN8nOptions } from './realN8n.mts';
import { startRealQueue, type QueueOptions, type RealQueue } from './realQueue.mts';
import { joinN8n, type SharedN8n } from './sharedN8n.mts';
import { standIn } from './standIn.mts';

/** How long n8n, its workers and the sandbox may take to start, ms. */
const START_TIMEOUT = 240_000;

/** How long they may take to stop, ms. */
const STOP_TIMEOUT = 60_000;

/** Settings of the sandbox in each test, on top of its first ones. */
interface ForEachTest {
	sandbox?: Partial<SandboxSettings>;
}

/**
 * Starts a real n8n for a file alone, before its tests, and ends it after them. Each test starts afresh, with
 * an account of its own.
 *
 * @returns stands for the started n8n; to be used in tests and hooks only
 */
export function useRealN8n({ sandbox, ...options }: RealN8nOptions & ForEachTest = {}): RealN8n {
	return useStarted(async () => await startRealN8n(options), sandbox);
}

/** The n8n that all files of the project share. */
export function useSharedN8n({ sandbox }: ForEachTest = {}): SharedN8n {
	return useStarted(joinN8n, sandbox);
}

/** A real n8n for the file alone, in queue mode. */
export function useRealQueue({ sandbox, ...options }: QueueOptions & ForEachTest = {}): RealQueue {
	return useStarted(async () => await startRealQueue(options), sandbox);
}

function useStarted<N extends N8nRuns & { stop(): Promise<void> }>(
	start: () => Promise<N>,
	settings: Partial<SandboxSettings> = {},
): N {
	let starting: Promise<N> | undefined;
	let started: N | undefined;
	const n8n = standIn(() => started, 'n8n');
	beforeAll(async () => {
		starting = start();
		started = await starting;
	}, START_TIMEOUT);
	afterAll(async () => {
		// Also an n8n that started too late for the tests: left running, it would keep Jest from ending.
		await (await starting?.catch(() => undefined))?.stop();
	}, STOP_TIMEOUT);
	beforeEach(async () => {
		await n8n.startAfresh();
		Object.assign(n8n.sandbox.settings, settings);
	});
	return n8n;
}
