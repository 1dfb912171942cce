import { describeError } from './errors.mjs';

/** How often to check that the shell that started this process is still there, in ms. */
const PARENT_CHECK = 500;

/**
 * What has to be undone before this process ends, the newest last.
 *
 * @type {Array<() => unknown>}
 */
const closers = [];

/**
 * Set once the process is ending: from then on, actions fail because they are being stopped.
 *
 * @type {Promise<void> | undefined}
 */
let ending;

/**
 * Registers what must be stopped or removed before the process ends, whether it finishes or gets a signal.
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

/** Whether the process is ending: nothing new should begin, since nobody would clean it up. */
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
 * Runs a command-line tool. It ends with the exit code that its main function returns, 1 after an error, or 128 + n
 * after signal n, always after {@link closeAll}.
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
		exitCode = (await tool()) ?? 0;
	} catch (error) {
		if (!ending) console.error(`\n${describeError(error)}`);
		exitCode = 1;
	}
	await end(exitCode);
}

/** Never resolves: for a tool that runs until it is told to stop. */
export function untilStopped() {
	return new Promise(() => setInterval(() => {}, 2 ** 30));
}

/**
 * Ends the process once: if a signal arrives while it is ending anyway, the first exit code counts.
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
		// A second Ctrl-C does not wait. If n8n is still running then, it ends on its own (endWithParent.cjs).
		if (ending && signal === 'SIGINT') process.exit(exitCode);
		console.log('\nStopping everything ...');
		void end(exitCode);
	});
}

/** npm runs scripts in a shell. When npm is told to end, it ends that shell, but not what the shell runs. */
function endWithShell() {
	const shell = process.ppid;
	setInterval(() => process.ppid !== shell && void end(143), PARENT_CHECK).unref();
}
