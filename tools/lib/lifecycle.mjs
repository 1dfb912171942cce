import { describeError, requireNode20 } from './errors.mjs';

/** Milliseconds between two looks at whether the shell that started this process is still there. */
const PARENT_CHECK = 500;

/**
 * What has to be undone before this process ends, the newest last.
 *
 * @type {Array<() => unknown>}
 */
const closers = [];

/**
 * Set once the process is ending: what fails from then on fails because it is being stopped.
 *
 * @type {Promise<void> | undefined}
 */
let ending;

/**
 * Registers what must be stopped or removed before the process ends, by itself or by a signal.
 *
 * @param {() => unknown} close May be async. Runs once.
 * @returns {() => Promise<void>} Closes it now, and takes it off the list.
 */
export function onEnd(close) {
	closers.push(close);
	return async () => {
		const index = closers.indexOf(close);
		if (index < 0) return;
		closers.splice(index, 1);
		await close();
	};
}

/** Whether the process is ending: what is begun from now on would be left over. */
export const isEnding = () => ending !== undefined;

/** Undoes everything registered with {@link onEnd}, the newest first. */
export async function closeAll() {
	for (let close = closers.pop(); close; close = closers.pop()) {
		try {
			await close();
		} catch (error) {
			console.error(describeError(error));
		}
	}
}

/**
 * Runs a command line tool: it ends with the exit code its main function returns, 1 after an error,
 * 128 + n after signal n, and always with {@link closeAll}.
 *
 * @param {() => Promise<number | void>} tool
 */
export async function runTool(tool) {
	endOnSignal('SIGHUP', 129);
	endOnSignal('SIGINT', 130);
	endOnSignal('SIGTERM', 143);
	if (process.env.npm_lifecycle_event) endWithShell();
	let exitCode;
	try {
		requireNode20();
		exitCode = (await tool()) ?? 0;
	} catch (error) {
		if (!ending) console.error(`\n${describeError(error)}`);
		exitCode = 1;
	}
	await end(exitCode);
}

/** Resolves never: for a tool that stays until it is told to stop. */
export function untilStopped() {
	return new Promise(() => setInterval(() => {}, 2 ** 30));
}

/**
 * Ends once: when a signal arrives while the tool is ending by itself, the first one counts.
 *
 * @param {number} exitCode
 */
function end(exitCode) {
	ending ??= closeAll().then(() => process.exit(exitCode));
	return ending;
}

/**
 * @param {NodeJS.Signals} signal
 * @param {number} exitCode
 */
function endOnSignal(signal, exitCode) {
	process.on(signal, () => {
		// A second Ctrl-C does not wait; what n8n leaves then, it ends by itself (endWithParent.cjs).
		if (ending && signal === 'SIGINT') process.exit(exitCode);
		console.log('\nStopping everything ...');
		void end(exitCode);
	});
}

/**
 * npm runs scripts in a shell and, when it is told to end, ends the shell but not what that runs.
 */
function endWithShell() {
	const shell = process.ppid;
	setInterval(() => process.ppid !== shell && void end(143), PARENT_CHECK).unref();
}
