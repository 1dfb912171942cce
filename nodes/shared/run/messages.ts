import { type IExecuteFunctions, type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { DOCS } from '../form/names';
import { JobError } from '../orders/job';
import {
	answerText,
	type ErrorText,
	MAX_DESCRIPTION,
	MAX_TEXT,
	ServiceError,
} from '../service/serviceError';
import { promptOf } from '../spec/field';
import { cleanText } from '../service/shownText';
import { capitalized, firstInWords } from '../spec/values';
import type { ItemPlan, Run } from './run';

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

export type NodeError = NodeApiError | NodeOperationError;

/** Whether n8n shows the error as that of a node. */
export const isNodeError = (error: unknown): error is NodeError =>
	error instanceof NodeApiError || error instanceof NodeOperationError;

/** What is said about an error besides its own words. */
interface Told {
	/** In place of its own message. */
	message?: string;
	/** Added to its description. */
	more?: string;
	/** Added to its details, one line each; the editor shows them folded. */
	details?: readonly string[];
}

/**
 * Any error in the form that n8n's editor shows best: the message says what happened, the description what was charged
 * and what to do, the details the rest (identifiers, addresses, answers). It is not linked to its item: n8n would add
 * the item's number, which counts from 0.
 */
export function nodeError(
	context: Pick<IExecuteFunctions, 'getNode'>,
	error: unknown,
	{ message: said, more = '', details = [] }: Told = {},
): NodeError {
	const { message, description } = wordsOf(error, more);
	const told = `${withoutTags(description)} ${MORE}`.trim();
	const shown = asNodeError(context.getNode(), error, said ?? message, told);
	shown.messages = [...answersIn(error), ...details].map((text) =>
		cleanText(text, MAX_DESCRIPTION),
	);
	return shown;
}

/** n8n's editor renders a description as HTML, and ours may quote the service or a prompt. */
const withoutTags = (text: string) => text.replaceAll('<', '‹');

/**
 * When an error passes from one execution to another, n8n keeps only its message and description. So the
 * details become lines of the description, and the editor shows them as lines.
 */
export function withDetailsBelow<E>(error: E): E {
	if (!isNodeError(error)) return error;
	const details = error.messages.map(withoutTags);
	error.description = [error.description ?? '', ...details].join('<br>');
	return error;
}

export function wordsOf(error: unknown, more = ''): ErrorText {
	const { message, description } = Object(error) as Record<string, unknown>;
	const advice = typeof description === 'string' ? description : '';
	return {
		message: cleanText(
			typeof message === 'string' && message !== '' ? message : String(error),
			MAX_TEXT,
		),
		description: cleanText([advice, more].filter(Boolean).join(' ')),
	};
}

/** n8n's editor shows links in a description. */
const MORE = `<a href="${DOCS}troubleshooting.md">More about this error</a>`;

function asNodeError(node: INode, error: unknown, message: string, description: string): NodeError {
	if (error instanceof ServiceError) {
		const { status } = error;
		const httpCode = status === undefined ? undefined : String(status);
		return new NodeApiError(node, { message }, { message, description, httpCode });
	}
	// A fresh error: n8n's own errors also carry the request and the response, which must not be stored.
	return new NodeOperationError(node, message, { description });
}

/** The service's answer to a creation, which may name the job in its own way. */
function answersIn(error: unknown): string[] {
	if (error instanceof JobError) {
		const { creation } = error.job;
		// The job may have failed since, while this answer says that it has begun: so say when it came.
		return creation ? [answerText(JSON.stringify(creation), 'When it was created')] : [];
	}
	const answer = error instanceof ServiceError ? error.answer : undefined;
	return answer === undefined ? [] : [answerText(answer)];
}

/*
 * Items as a person counts them: n8n's editor numbers the rows of a table from 1. In data (`itemIndex`,
 * `$itemIndex`), items count from 0, as everywhere in n8n.
 */

export const rowNumber = (itemIndex: number): number => itemIndex + 1;

/** How many characters of its prompt name a row. */
const FIRST_WORDS = 40;

/** A row; its operation and values, where they are known. */
type NamedRow = Pick<ItemPlan, 'itemIndex'> & Partial<ItemPlan>;

/** Names a row: `row 3, "A sourdough loaf"`; without a prompt `row 3`. */
export function rowInWords({ itemIndex, operation, values }: NamedRow): string {
	const prompt = operation && values ? promptOf(operation, values) : undefined;
	const row = `row ${rowNumber(itemIndex)}`;
	return prompt === undefined ? row : `${row}, "${cleanText(prompt, FIRST_WORDS)}"`;
}

/** The same at the start of a sentence. */
export const rowFirst = (row: NamedRow): string => capitalized(rowInWords(row));

const MOST_SHOWN = 10;

/** Names rows: `row 2`, `rows 2, 5 and 7`, `rows 1, 2 … and 90 more`. */
export function rowsInWords(items: ReadonlyArray<{ itemIndex: number }>): string {
	const numbers = items.map(({ itemIndex }) => rowNumber(itemIndex));
	return `${items.length === 1 ? 'row' : 'rows'} ${firstInWords(numbers, MOST_SHOWN)}`;
}
