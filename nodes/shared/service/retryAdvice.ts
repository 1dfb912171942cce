import { NO_CREDITS } from '../spec/answers';
import { isRefusal } from './serviceError';

/** Whether a failed item was charged: what its field `charged` says. */
export const CHARGED = {
	no: 'Nothing was charged for the item.',
	yes: 'Its job was charged when it was created. Whether the service gives credits back is not documented.',
	unknown: 'Nobody can tell: the answer of the service was lost, or its job cannot be read.',
} as const;

/** What to do about a failed item: what its field `retry` says. */
export const RETRY = {
	safe: 'Run it again: nothing was charged. If it fails in the same way, do first what the message says.',
	correctFirst:
		'Correct what the message names, its values or the credential, then run it again. Nothing was charged.',
	creditsFirst:
		'Buy credits, or change the limit that the message names, then run it again. Nothing was charged.',
	waitForJob:
		'Do not order it again: its job is paid for, or may be. Read it by `jobId` with _Job > Wait for Completion_, which costs nothing.',
	lookFirst:
		'Look in the history or on the website whether it was made after all. Run it again only if it is not there: that may pay twice.',
	paysAgain: 'Change what you order, or try again: that is a new job, and is paid for again.',
} as const;

type Charged = keyof typeof CHARGED;
export type Retry = keyof typeof RETRY;

/** What a failed item says about money. */
export interface Advice {
	charged: Charged;
	retry: Retry;
}

/** A job that the service could not make. */
export const JOB_FAILED: Advice = { charged: 'yes', retry: 'paysAgain' };

/** A job that is paid for, and may go on or have a result. */
export const JOB_TO_READ: Advice = { charged: 'yes', retry: 'waitForJob' };

/** A creation of unknown outcome. */
export const IN_DOUBT: Advice = { charged: 'unknown', retry: 'lookFirst' };

/** The advice for a job that is free: nothing was charged, whatever became of it. */
export function ofFree({ retry }: Advice): Advice {
	const isOver = retry === JOB_FAILED.retry || retry === IN_DOUBT.retry;
	return { charged: 'no', retry: isOver ? 'safe' : retry };
}

/** An error that knows what to do about it. */
export interface Advising {
	readonly retry: Retry;
}

/** The advice where an error came before anything was charged. */
export function notCharged(error: unknown): Advice {
	const { retry } = Object(error) as Partial<Advising>;
	return { charged: 'no', retry: retry ?? afterAnswer(error) };
}

function afterAnswer(error: unknown): Retry {
	if (!isRefusal(error)) return 'safe';
	return error.status === NO_CREDITS ? 'creditsFirst' : 'correctFirst';
}
