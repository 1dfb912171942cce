import { ToolError } from './errors.mjs';
import { run } from './run.mjs';

/**
 * How many times as fast time passes in tests. 20 and 30 work as well, but every time-out in n8n comes that much
 * earlier, and a slow machine needs its time.
 */
export const TIME_LAPSE = 10;

/** Time that passes faster than the machine's. */
export interface TimeLapse {
	/** How many times as fast, at least 1. */
	factor: number;
	/**
	 * When it agreed with the machine's, in ms since 1970. A process that is started again keeps it, so that its time
	 * goes on.
	 */
	anchor: number;
}

export function lapsedTime({ factor, anchor }: TimeLapse) {
	return {
		/** The faster time at a time of the machine; both in ms since 1970. */
		at: (real: number) => anchor + (real - anchor) * factor,
		/** How long a span takes on the machine, in whole ms: rounded up, so that no timer fires early. */
		real: (ms: number) => Math.ceil(ms / factor),
	};
}

/**
 * How long n8n waits for what does not get faster: databases, its task runner, its own end. In the units of each
 * setting, ms or s; tens of times n8n's defaults.
 */
const PATIENCE = {
	DB_PING_TIMEOUT_MS: '150000',
	DB_CONNECTION_ACQUISITION_TIMEOUT_MS: '900000',
	DB_POSTGRESDB_CONNECTION_TIMEOUT: '600000',
	N8N_RUNNERS_GRANT_TOKEN_TTL: '900',
	N8N_RUNNERS_HEARTBEAT_INTERVAL: '900',
	N8N_RUNNERS_TASK_ACCEPT_TIMEOUT: '60',
	N8N_RUNNERS_TASK_REQUEST_TIMEOUT: '1800',
	N8N_RUNNERS_TASK_TIMEOUT: '9000',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '50',
};

export function timeLapseSettings(timeLapse: TimeLapse): Record<string, string> {
	return { MEDIAGEN_TIME_LAPSE: JSON.stringify(timeLapse), ...PATIENCE };
}

/** The time lapse of a process with such settings. */
export function timeLapseIn({
	MEDIAGEN_TIME_LAPSE: text,
}: Record<string, string | undefined>): TimeLapse | undefined {
	return text === undefined ? undefined : JSON.parse(text);
}

/**
 * The environment that makes time pass faster in a process that is started now: libfaketime changes the operating
 * system's clocks for it, and all waits that depend on them, except Atomics.wait. n8n's task runner does not inherit
 * this.
 */
export async function fakedTime(timeLapse: TimeLapse): Promise<Record<string, string>> {
	const now = Date.now();
	const ahead = (lapsedTime(timeLapse).at(now) - now) / 1000;
	return {
		LD_PRELOAD: await libraryPath(),
		FAKETIME: `${ahead < 0 ? '' : '+'}${ahead.toFixed(3)} x${timeLapse.factor}`,
	};
}

/**
 * The program "faketime" passes the path of its library to whatever it runs. It names a semaphore after its process, and
 * fails if one is left of an earlier process of that number: so it is asked again, as another process.
 */
async function libraryPath(tries = 3): Promise<string> {
	const { code, output } = await run('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD']);
	if (code === 0) return output.trim();
	if (tries > 1 && output.includes('File exists')) return libraryPath(tries - 1);
	throw new ToolError(
		'In the tests of long waits, time passes faster by libfaketime, which needs Linux. Install it ' +
			`(Debian and Ubuntu: "apt-get install faketime"). ${output}`,
	);
}
