import type { Run } from './run';

/** Shows a warning in the node's output pane, beside the items. */
export function hint({ context }: Run, message: string): void {
	context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}

/** Says there what the run has come to. */
export function info({ context }: Pick<Run, 'context'>, message: string): void {
	context.addExecutionHints({ message, type: 'info', location: 'outputPane' });
}
