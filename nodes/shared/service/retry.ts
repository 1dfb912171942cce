import { backoffMs } from '../account/requests';
import { retry, timeLimit, type Clock } from '../clock/clock';
import { AUTHENTICATED } from '../spec/limits';
import type { ServiceRequest, SendOptions, Service } from './service';
import { isTooMany, isUnreachable } from './serviceError';

/** How often a request is sent again after connections that were never made. */
const RECONNECTS = 2;

/** The pause before the next try, in ms, where `lost` earlier ones did not connect; `undefined` after the last try. */
export const reconnectMs = (lost: number): number | undefined =>
	lost < RECONNECTS ? backoffMs(lost) : undefined;

/** How long a request that creates no job waits for the account's limits, in ms. */
const MAX_WAIT_MS = 2 * AUTHENTICATED.windowMs;

/**
 * Sends a request, and sends it again where the try before cannot have done anything: after a 429 as long
 * as there is time, after connections that were never made a few times (money rule 1).
 *
 * @throws ServiceError the last one, when that did not help; any other at once
 */
export async function sendWithRetry(
	service: Pick<Service, 'send'>,
	request: ServiceRequest,
	clock: Clock,
	sendOptions: SendOptions = {},
): Promise<unknown> {
	const deadline = clock.now() + MAX_WAIT_MS;
	let lost = 0;
	const pauseAfter = (error: unknown) => {
		if (isUnreachable(error)) return reconnectMs(lost++);
		if (!isTooMany(error)) return undefined;
		// The account keeps the pause that a 429 asks for; the next try comes after it.
		return clock.now() + (error.retryAfterMs ?? 0) < deadline ? 0 : undefined;
	};
	const place = { clock, signal: sendOptions.signal };
	return await retry(async () => await service.send(request, sendOptions), pauseAfter, place);
}

/** How a request waits for its turn. */
interface Patience extends Pick<SendOptions, 'priority' | 'signal'> {
	clock: Clock;
	/** How long it waits for its first turn, in ms. */
	turnMs: number;
}

/**
 * Sends a request as `sendWithRetry` does, provided that its first turn comes in time.
 *
 * @throws ServiceError also when its turn does not come in time
 */
export async function sendInTime(
	service: Service,
	request: ServiceRequest,
	{ clock, priority, turnMs, signal: outer }: Patience,
): Promise<unknown> {
	const { signal, forget } = timeLimit(clock, turnMs, outer);
	const sending = sendWithRetry(service, request, clock, { priority, signal, onSend: forget });
	return await sending.finally(forget);
}
