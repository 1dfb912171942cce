import { MAX_TEXT } from '../service/serviceError';
import { cleanText } from '../service/shownText';
import { withoutTags } from './nodeError';
import type { Run } from './run';

/** Shows a warning in the node's output pane, beside the items: once per run, however many items it is about. */
export const hint = (run: Run, message: string): void => show(run, message, 'warning');

/** The same for what is not a warning, such as the summary of a run. */
export const info = (run: Run, message: string): void => show(run, message, 'info');

function show({ context, said }: Run, text: string, type: 'warning' | 'info'): void {
	// The text may quote the service or a prompt, and n8n's editor renders it as HTML.
	const message = withoutTags(cleanText(text, MAX_TEXT));
	if (said.has(message)) return;
	said.add(message);
	context.addExecutionHints({ message, type, location: 'outputPane' });
}

/** A number with its noun: `1 item`, `8 items`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
	`${count} ${count === 1 ? one : several}`;

/** Counts in words, without those that are 0: `2 finished`, `1 failed`. */
export const countsInWords = (counts: Array<[count: number, what: string]>): string[] =>
	counts.filter(([count]) => count > 0).map((one) => one.join(' '));

/** Names jobs, so that none is lost (money rule 3). */
export const paidJobsText = (ids: readonly string[]): string =>
	ids.length > 0 ? `Paid for: jobs ${ids.join(', ')}.` : '';
