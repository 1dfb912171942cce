import type { Run } from './run';

/** Shows a warning in the node's output pane, beside the items. */
export function hint({ context }: Run, message: string): void {
	context.addExecutionHints({ message, type: 'warning', location: 'outputPane' });
}
