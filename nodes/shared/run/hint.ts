import type { Run } from './run';

/** Shows a warning in the node's output pane, beside the items. */
export function hint({ context }: Run, message: string): void {
	context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

const told = new WeakMap<Run, Set<string>>();

/** The same, but once a run, however many items it is about. */
export function hintOnce(run: Run, message: string): void {
	const known = told.get(run) ?? new Set();
	told.set(run, known);
	if (known.has(message)) return;
	known.add(message);
	hint(run, message);
}

/** Says there what the run has come to. */
export function info({ context }: Pick<Run, 'context'>, message: string): void {
	context.addExecutionHints({ message, type: 'info', location: 'outputPane' });
}
