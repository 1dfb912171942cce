import { WOKEN, type Clock } from '../clock/clock';
import type { Priority } from '../plan/requests';
import type { ServiceRequest } from './request';
import { sendWithRetry } from './retry';
import type { Service } from './service';

/** How a request waits for its turn. */
export interface Patience {
	clock: Clock;
	priority: Priority;
	/** So long, ms. */
	turnMs: number;
	/** Calls it off. */
	signal?: AbortSignal;
}

/**
 * Sends a request again where nothing can have come of it, as `sendWithRetry` does.
 *
 * @throws ServiceError also when its turn does not come in time
 */
export async function sendInTime(
	service: Service,
	request: ServiceRequest,
	{ clock, priority, turnMs, signal }: Patience,
): Promise<unknown> {
	const late = new AbortController();
	const sent = new AbortController();
	clock.sleep(turnMs, sent.signal).then(
		() => late.abort(),
		() => {},
	);
	const options = {
		priority,
		signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
		onSend: () => sent.abort(WOKEN),
	};
	return await sendWithRetry(service, request, clock, options).finally(() => sent.abort(WOKEN));
}
