import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Settled } from '../jobs/batch';
import { identifierIn } from '../jobs/readRecord';
import { jobOf, nodeError, type NodeError } from './errors';
import type { Run } from './run';

/**
 * The error of a run that stops: the first of its errors, and whatever has become of the other
 * items, so that no paid job is lost (money rule 3).
 */
export function failure(
	context: IExecuteFunctions,
	results: ReadonlyArray<Settled<unknown>>,
): NodeError {
	const first = results.findIndex((result) => 'error' in result);
	const others = results.flatMap((result, index) => (index === first ? [] : fate(result, index)));
	const skipped = results.filter((result) => 'skipped' in result).length;
	const more = [
		others.length > 0 ? `Other items of this run: ${others.join('; ')}.` : '',
		skipped > 0 ? `Not started and not charged: ${skipped} more.` : '',
	]
		.filter(Boolean)
		.join(' ');
	const result = results[first];
	return nodeError(context, result && 'error' in result ? result.error : undefined, first, more);
}

function fate(result: Settled<unknown>, index: number): string[] {
	if ('error' in result) return [`item ${index}: ${(result.error as Error).message}`];
	const items = 'value' in result && Array.isArray(result.value) ? result.value : [];
	return (items as INodeExecutionData[]).map(({ json }) => {
		const id = json.jobId ?? identifierIn(json)?.value;
		return [`item ${index}: job ${id}`, json.status, json.mediaUrl].filter(Boolean).join(' ');
	});
}

/**
 * Says which jobs go on after Stop. n8n keeps nothing of what a stopped node gives out, so this
 * goes to n8n's log and, of a run started in the editor, to the browser's console.
 */
export function reportStopped({ context }: Run, results: ReadonlyArray<Settled<unknown>>): void {
	const running = results.flatMap((result) => {
		const job = 'error' in result ? jobOf(result.error) : undefined;
		return job ? [job.id] : [];
	});
	if (running.length === 0) return;
	const text = `Stopped. These jobs are paid for and go on at the service: ${running.join(', ')}. Read them with Job > Get Status or Job > Wait for Completion.`;
	context.logger.warn(`${context.getNode().name}: ${text}`);
	context.sendMessageToUI(text);
}
