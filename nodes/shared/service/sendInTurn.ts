import type { Granted } from '../limits/accountLoop';
import type { Answered } from '../limits/requests';
import { attempt, type Attempt } from './attempt';
import { gaveUp, isTooMany } from './serviceError';

/**
 * Sends a request in its turn, and tells the loop of its account what came of it.
 *
 * @throws ServiceError also when its turn does not come
 */
export async function sendInTurn<T>(
	turn: Granted | Promise<Granted>,
	request: (granted: Granted) => Promise<T>,
): Promise<T> {
	const given = await attempt(Promise.resolve(turn));
	if ('error' in given) throw gaveUp();
	const answer = await attempt(request(given.value));
	given.value.answered(asAnswered(answer));
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
