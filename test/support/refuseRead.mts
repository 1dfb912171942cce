import type { AccountLimits } from '../../nodes/shared/account/account.ts';
import type { Priority } from '../../nodes/shared/account/requests.ts';
import { sendInTurn } from '../../nodes/shared/service/service.ts';
import { fault } from './fakeService.mts';

/** Sends a request in its turn. */
export const sendBy = async <T,>(
	limits: AccountLimits,
	request: () => Promise<T>,
	priority: Priority,
): Promise<T> => await sendInTurn(limits.request(priority), request);

/** The service answers 429 to a read: everything pauses. */
export async function refuseRead(limits: AccountLimits, retryAfterMs?: number): Promise<void> {
	const refuse = async () => {
		throw fault('refused', 429).with({ retryAfterMs });
	};
	await sendBy(limits, refuse, 'other').catch(() => {});
}
