import { NodeApiError, NodeOperationError, type IExecuteFunctions, type INode } from 'n8n-workflow';

import { JobError } from '../jobs/job';
import { DOCS } from '../parameters/names';
import { answerText, type ErrorText } from '../service/errorTexts';
import { MAX_DESCRIPTION, MAX_TEXT, ServiceError } from '../service/serviceError';
import { cleanText } from '../service/shownText';

export type NodeError = NodeApiError | NodeOperationError;

/** What is told of an error besides its own words. */
interface Told {
	/** In place of its own message. */
	message?: string;
	/** Added to its description. */
	more?: string;
	/** Added to its details, which the editor shows folded, a line each. */
	details?: readonly string[];
}

/**
 * Any error as n8n's editor shows it best: what happened as its message, what was charged and what to do in its
 * description, the rest (identifiers, addresses, answers) in its details. Without its item: n8n would add the number
 * that counts from 0.
 */
export function nodeError(
	context: Pick<IExecuteFunctions, 'getNode'>,
	error: unknown,
	{ message: said, more = '', details = [] }: Told = {},
): NodeError {
	const { message, description } = wordsOf(error, more);
	const told = `${withoutTags(description)} ${linkFor(error)}`.trim();
	const shown = asNodeError(context.getNode(), error, said ?? message, told);
	shown.messages = [...answersIn(error), ...details].map((text) =>
		cleanText(text, MAX_DESCRIPTION),
	);
	return shown;
}

/** n8n's editor shows a description as HTML, and others have a say in ours: the service, prompts. */
export const withoutTags = (text: string) => text.replaceAll('<', '‹');

/**
 * Of an error that passes from one execution to another, n8n keeps message and description alone: the details
 * become lines of the description, which n8n's editor shows as such.
 */
export function withDetailsBelow<E>(error: E): E {
	if (!(error instanceof NodeApiError || error instanceof NodeOperationError)) return error;
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

/** To what else is known of such errors: n8n's editor shows links of a description. */
function linkFor(error: unknown): string {
	const { heading } = Object(error) as { heading?: unknown };
	return typeof heading === 'string'
		? `<a href="${DOCS}troubleshooting.md#${heading}">More about this error</a>`
		: '';
}

function asNodeError(node: INode, error: unknown, message: string, description: string): NodeError {
	if (error instanceof ServiceError) {
		const { status } = error;
		const httpCode = status === undefined ? undefined : String(status);
		return new NodeApiError(node, { message }, { message, description, httpCode });
	}
	// A fresh error: what n8n's own errors carry besides (request, response) must not be stored.
	return new NodeOperationError(node, message, { description });
}

/** What the service has answered to a creation, which may name the job in its own way. */
function answersIn(error: unknown): string[] {
	if (error instanceof JobError) {
		const { creation } = error.job;
		// Of a job that has failed since, it says that it has begun.
		return creation ? [answerText(JSON.stringify(creation), 'When it was created')] : [];
	}
	const answer = error instanceof ServiceError ? error.answer : undefined;
	return answer === undefined ? [] : [answerText(answer)];
}
