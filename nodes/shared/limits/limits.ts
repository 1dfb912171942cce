import type { PaceSeen } from '../plan/pace';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import { perAccount } from './perAccount';
import { ConcurrencyLimiter } from './concurrencyLimiter';
import { Durations } from './durations';
import { RateLimiter } from './rateLimiter';
import { ShownOthers } from './shownOthers';

/** What keeps an account within its limits, in this process. Each knows those above it, and none below. */
export interface Limits {
	durations: Durations;
	others: ShownOthers;
	limiter: ConcurrencyLimiter;
	rateLimiter: RateLimiter;
}

/** The limits of an account, shared by all that use it in this process. */
export const limitsOf = perAccount((clock): Limits => {
	const durations = new Durations();
	const others = new ShownOthers(clock);
	const limiter = new ConcurrencyLimiter(clock, durations, others);
	const rateLimiter = new RateLimiter(clock, limiter, others);
	return { durations, others, limiter, rateLimiter };
});

/** What requests that look for ends are paced by. */
export function paceOf({ limiter, others, rateLimiter }: Limits): PaceSeen {
	const running = limiter.active + limiter.others + limiter.waiting;
	return {
		limit: rateLimiter.plannable,
		share: others.share,
		slowness: rateLimiter.slowness,
		running: Math.max(1, Math.min(CONCURRENT_GENERATIONS, running)),
		averageMs: limiter.averageMs,
	};
}
