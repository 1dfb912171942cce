import type { Answered, RateLimiter, Ticket } from '../limits/rateLimiter';
import { attempt, type Attempt } from './attempt';
import { gaveUp, isTooMany } from './serviceError';

/**
 * Sends a request when the limits of its account allow.
 *
 * @throws ServiceError also when the signal has fired before
 */
export async function sendInTurn<T>(
	rateLimiter: RateLimiter,
	ticket: Ticket,
	request: () => Promise<T>,
): Promise<T> {
	const turn = await attempt(rateLimiter.admit(ticket));
	if ('error' in turn) throw gaveUp();
	const answer = await attempt(request());
	turn.value(asAnswered(answer));
	if ('error' in answer) throw answer.error;
	return answer.value;
}

/** What an answer tells of the limits. */
function asAnswered(answer: Attempt<unknown>): Answered {
	if ('value' in answer) return { kind: 'taken' };
	const { error } = answer;
	return isTooMany(error)
		? { kind: 'tooMany', retryAfterMs: error.retryAfterMs }
		: { kind: 'failed' };
}
