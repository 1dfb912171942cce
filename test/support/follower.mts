import { accountOf, type Follower } from '../../nodes/shared/orders/jobContext.ts';
import type { Service } from '../../nodes/shared/service/service.ts';
import type { VirtualClock } from './virtualClock.mts';

/** Number of accounts opened in this process, so that each gets its own name. */
let opened = 0;

/** A run that follows jobs, alone on its account. */
export const followerOf = (service: Service, clock: VirtualClock): Follower => ({
	service,
	clock,
	account: accountOf(`follower ${++opened}`, clock),
	readHistory: async () => 'useless',
});
