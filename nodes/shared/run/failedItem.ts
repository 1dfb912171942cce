import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { FAILED, isFinal } from '../spec/answers';

/** How a failed item leaves the node under *Continue*. */
export type FailedAs =
	/** Among the others. */
	| 'item'
	/** By the error output. */
	| 'errorOutput';

export function failedAs(context: IExecuteFunctions): FailedAs {
	return context.getNode().onError === 'continueErrorOutput' ? 'errorOutput' : 'item';
}

/** An error in words. */
interface Texts {
	message: string;
	/** What to do about it. */
	description?: string | null;
}

/**
 * The JSON of an item that has failed.
 *
 * n8n passes an item on by the error output if its JSON has `error` and, beside it, `message` alone;
 * newer versions take `details`, too. There, all that is to be said is in `message`.
 *
 * @param job the item of its job, where it has one
 */
export function failedItem(
	{ message, description }: Texts,
	job: IDataObject,
	as: FailedAs,
): IDataObject {
	const { mediaUrl, mediaUrls, status, errorMessage, jobId, ...rest } = job;
	const facts: IDataObject = {
		// A job that the node has given up goes on all the same.
		status: typeof status === 'string' && !isFinal(status) ? status : FAILED,
		errorMessage: errorMessage ?? message,
		...(jobId === undefined ? {} : { jobId }),
		...(mediaUrl ? { mediaUrl } : {}),
		...(mediaUrl && mediaUrls ? { mediaUrls } : {}),
		...(description ? { description } : {}),
		...rest,
	};
	return as === 'errorOutput' ? { error: message, message: facts } : { error: message, ...facts };
}
