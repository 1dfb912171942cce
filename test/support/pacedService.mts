import type { ServiceRequest } from '../../nodes/shared/service/request.ts';
import { limitsOf } from '../../nodes/shared/account/account.ts';
import { sendInTurn, type Service } from '../../nodes/shared/service/service.ts';
import type { VirtualClock } from './virtualClock.mts';

/** A request that reached the service. */
export interface Sent {
	/** ms from the start. */
	at: number;
	request: ServiceRequest;
}

/** Number of accounts opened in this process, so that each gets its own name. */
let opened = 0;

/**
 * An account of the service behind its limits, in virtual time.
 *
 * @param answer what the service answers, after the time that it takes; errors are thrown
 */
export function pacedService(clock: VirtualClock, answer: (request: ServiceRequest) => unknown) {
	const start = clock.now();
	const sent: Sent[] = [];
	const account = `paced ${++opened}`;
	const limits = limitsOf(account, clock);
	/** Opens the service as one run of a node does. */
	const open = (): Service => {
		return {
			baseUrl: 'https://service.example',
			account,
			uploadMode: 'multipart',
			path: () => undefined,
			field: () => undefined,
			send: async (request, { priority = 'other', signal, onSend, granted } = {}) =>
				await sendInTurn(granted ?? limits.request(priority, signal), async () => {
					onSend?.();
					sent.push({ at: clock.now() - start, request });
					return await answer(request);
				}),
		};
	};
	return { account, open, sent, limits };
}
