import type { Clock } from '../clock/clock';
import {
	backoffBounds,
	pollGapMs,
	slownessAfter,
	type Priority,
	type RequestsSeen,
	type SentRequest,
} from '../plan/requests';
import { ACCOUNT_KINDS, type RequestLimit } from '../spec/limits';
import { FIRST_BACKOFF_MS, Pause } from './backoff';

/** Clocks run unevenly by less, ms. */
const LEAST_JUMP_MS = 1000;

/** What came of a request, as far as limits are concerned. */
export type Answered =
	| { kind: 'taken' }
	/** The service has refused it for a limit (429), and may say when to send it again. */
	| { kind: 'tooMany'; retryAfterMs?: number }
	/** Another fault, which tells nothing of limits. */
	| { kind: 'failed' };

/** What is known of an account besides its requests. */
export type AroundRequests = Pick<RequestsSeen, 'forecast' | 'share' | 'otherWaiting'>;

/**
 * The requests of an account that count (section "Limits"): each until a full window after its answer, since the
 * service may have counted it at any time between. A 429 to anything but a creation shows that others use the
 * account, too: everything pauses, and polls are slower for a while (`plan/requests.ts`).
 */
export class Requests {
	/** What the account may send; another credential, or a changed one, may set another. */
	limit: RequestLimit = ACCOUNT_KINDS[0];

	/** Set by triggers, whose lists show the jobs of all processes. */
	hasJobsElsewhere = false;

	private sent: SentRequest[] = [];

	private readonly pause: Pause;

	private nextPollAt = 0;

	/** How far the time of day has ever been ahead of the elapsed time, ms. */
	private aheadMs: number;

	/** When the service last refused anything but a creation, elapsed ms. */
	private refusedAt = -Infinity;

	constructor(private readonly clock: Clock) {
		this.aheadMs = clock.now() - clock.elapsed();
		this.pause = new Pause(clock);
	}

	/** One is sent. */
	send(priority: Priority, around: AroundRequests): SentRequest {
		const request: SentRequest = { priority, backAt: Infinity };
		this.sent.push(request);
		const now = this.clock.elapsed();
		if (priority === 'poll') this.nextPollAt = now + pollGapMs(this.seen(around), now);
		return request;
	}

	/** It was answered. A 429 to a creation may be about running jobs alone, and is for `Places` to learn from. */
	answered(request: SentRequest, answered: Answered, around: AroundRequests): void {
		this.followJump();
		const now = this.clock.elapsed();
		request.isRefused = answered.kind === 'tooMany';
		request.backAt = now + this.limit.windowMs;
		if (answered.kind === 'taken') return this.pause.succeeded();
		if (answered.kind === 'failed' || request.priority === 'create') return;
		this.refusedAt = now;
		const bounds = backoffBounds(this.seen(around), FIRST_BACKOFF_MS, now);
		this.pause.extend(answered.retryAfterMs, bounds);
	}

	seen(around: AroundRequests): RequestsSeen {
		this.followJump();
		const now = this.clock.elapsed();
		this.sent = this.sent.filter(({ backAt }) => backAt > now);
		const { limit, sent, nextPollAt, hasJobsElsewhere, slowness } = this;
		const pausedUntil = this.pause.until;
		return { limit, sent, pausedUntil, nextPollAt, hasJobsElsewhere, slowness, ...around };
	}

	/**
	 * While the machine slept, the windows of the service have gone by. If somebody has only set the clock forth, some
	 * requests come too early, and the service says so.
	 */
	private followJump(): void {
		const aheadMs = this.clock.now() - this.clock.elapsed();
		const jumpMs = aheadMs - this.aheadMs;
		if (jumpMs < LEAST_JUMP_MS) return;
		this.aheadMs = aheadMs;
		for (const request of this.sent) request.backAt -= jumpMs;
		this.nextPollAt -= jumpMs;
		this.refusedAt -= jumpMs;
		this.pause.advance(jumpMs);
	}

	/** How many times as far apart as usual polls are. */
	get slowness(): number {
		return slownessAfter(this.clock.elapsed() - this.refusedAt);
	}
}
