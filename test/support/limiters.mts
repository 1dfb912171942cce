import type { Clock } from '../../nodes/shared/clock/clock.ts';
import { ConcurrencyLimiter } from '../../nodes/shared/limits/concurrencyLimiter.ts';
import type { Forecast } from '../../nodes/shared/plan/forecast.ts';
import { RateLimiter, type Ticket } from '../../nodes/shared/limits/rateLimiter.ts';
import { sendInTurn } from '../../nodes/shared/service/sendInTurn.ts';

/** Nobody has any jobs. */
const NO_JOBS: Forecast = { jobs: 0, requests: 0, withinMs: 60_000, mostGapMs: 5000 };

/** A rate limiter, and what it sees of its account; a test may change that. */
export function rateLimiterAmong(
	clock: Clock,
	jobs = { forecast: NO_JOBS },
	others = { share: 1 },
) {
	return { rateLimiter: new RateLimiter(clock, jobs, others), jobs, others };
}

/** A concurrency limiter, and what it sees of its account: no history that could tell of others. */
export function concurrencyLimiterAmong(clock: Clock) {
	const durations = { average: 0 };
	const history = { isUsable: false, isFresh: () => true };
	return { limiter: new ConcurrencyLimiter(clock, durations, history), durations, history };
}

/** Sends a request when the rate limiter lets it. */
export const sendBy = async <T,>(
	rateLimiter: RateLimiter,
	request: () => Promise<T>,
	ticket: Ticket,
): Promise<T> => await sendInTurn(rateLimiter, ticket, request);
