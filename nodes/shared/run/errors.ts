import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type JsonObject,
} from 'n8n-workflow';

import { JobError } from '../jobs/job';
import { cleanText } from '../service/cleanText';
import { ServiceError } from '../service/serviceError';

export type NodeError = NodeApiError | NodeOperationError;

/**
 * Any error as n8n's editor shows it best, with the item it belongs to.
 *
 * @param more text added to the description
 */
export function nodeError(
	context: Pick<IExecuteFunctions, 'getNode'>,
	error: unknown,
	itemIndex?: number,
	more = '',
): NodeError {
	const node = context.getNode();
	const message = cleanText((error as Error).message || String(error));
	const description = cleanText([descriptionOf(error), more].filter(Boolean).join(' '));
	if (error instanceof ServiceError) return apiError(node, error, description, itemIndex);
	// A fresh error: what n8n's own errors carry besides (request, response) must not be stored.
	return new NodeOperationError(node, message, { description, itemIndex });
}

function apiError(node: INode, error: ServiceError, description: string, itemIndex?: number) {
	const { message, status } = error;
	const httpCode = status === undefined ? undefined : String(status);
	const plain: JsonObject = { message };
	return new NodeApiError(node, plain, { message, description, httpCode, itemIndex });
}

function descriptionOf(error: unknown): string {
	const { description } = error as { description?: unknown };
	return typeof description === 'string' ? description : '';
}

/** The job an error is about, so that it is never lost. */
export function jobInError(error: unknown) {
	return error instanceof JobError ? error.job : undefined;
}
