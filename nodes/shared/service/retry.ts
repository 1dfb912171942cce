import type { Clock } from '../clock/clock';
import type { ServiceRequest } from './request';
import { REQUEST_WINDOW_MS } from '../spec/limits';
import { attempt } from './attempt';
import type { Service, SendOptions } from './service';
import { isTooMany, isUnreachable } from './serviceError';

/** Pauses before a connection that was never made is tried again, ms. */
export const RECONNECT_MS: readonly number[] = [500, 1000, 2000];

/** How long a request that is no job waits for the account's limits, ms. */
export const MAX_WAIT_MS = 2 * REQUEST_WINDOW_MS;

/**
 * Sends a request, and sends it again where nothing can have come of it: after a 429 as long as
 * there is time, after connections that were never made a few times (money rule 1).
 *
 * @throws ServiceError the last one, when that did not help; every other at once
 */
export async function sendWithRetry(
	service: Service,
	request: ServiceRequest,
	clock: Clock,
	sendOptions: SendOptions = {},
): Promise<unknown> {
	const deadline = clock.now() + MAX_WAIT_MS;
	let attempts = 0;
	for (;;) {
		const answer = await attempt(service.send(request, sendOptions));
		if ('value' in answer) return answer.value;
		const { error } = answer;
		// The rate limiter keeps the pause that a 429 asks for; the next try comes after it.
		if (isTooMany(error) && clock.now() + (error.retryAfterMs ?? 0) < deadline) continue;
		const pause = isUnreachable(error) ? RECONNECT_MS[attempts++] : undefined;
		if (pause === undefined || sendOptions.signal?.aborted) throw error;
		await clock.sleep(pause, sendOptions.signal).catch(() => {
			throw error;
		});
	}
}
