import type { Clock } from '../../nodes/shared/clock/clock.ts';
import { AccountLoop } from '../../nodes/shared/limits/accountLoop.ts';
import type { Priority } from '../../nodes/shared/plan/requests.ts';
import { sendInTurn } from '../../nodes/shared/service/service.ts';
import { fault } from './fakeService.mts';

/** The loop of an account, and whether its history is usable: at first it is not, so it shows no others. */
export function loopAmong(clock: Clock) {
	const loop = new AccountLoop(clock);
	const history = { isUsable: false };
	Object.defineProperty(loop.history, 'isUsable', { get: () => history.isUsable });
	return { loop, history };
}

/** Sends a request in its turn. */
export const sendBy = async <T,>(
	loop: AccountLoop,
	request: () => Promise<T>,
	{ priority, owner, signal }: { priority: Priority; owner: object; signal?: AbortSignal },
): Promise<T> => await sendInTurn(loop.request(owner, priority, signal), request);

/** The service answers 429 to a read: everything pauses. */
export async function refuseRead(loop: AccountLoop, retryAfterMs?: number): Promise<void> {
	const refuse = async () => {
		throw fault('refused', 429).with({ retryAfterMs });
	};
	await sendBy(loop, refuse, { priority: 'other', owner: {} }).catch(() => {});
}
