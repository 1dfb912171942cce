import { NO_CREDITS } from '../spec/answers';
import { isRefusal } from './serviceError';

/** Whether a failed item was charged: what its field `charged` says. */
export type Charged = 'no' | 'yes' | 'unknown';

/** What to do about a failed item: what its field `retry` says. The reference has each in words. */
export type Retry =
	| 'safe'
	| 'correctFirst'
	| 'creditsFirst'
	| 'waitForJob'
	| 'lookFirst'
	| 'paysAgain';

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
