import type { Clock } from '../clock/clock';
import {
	FIRST_PAUSE_MS,
	mostPauseMs,
	pollGapMs,
	slownessAfter,
	type Priority,
	type RequestsSeen,
	type SentRequest,
} from '../plan/requests';
import { ACCOUNT_KINDS, type RequestLimit } from '../spec/limits';
import { Pause } from './backoff';

/** A shorter jump of the time of day is none, in ms: clocks run unevenly. */
const LEAST_JUMP_MS = 1000;

/** What came of a request, as far as limits are concerned. */
export type Answered =
	| { kind: 'taken' }
	/** The service refused it because of a limit (429), and may say when to send it again. */
	| { kind: 'tooMany'; retryAfterMs?: number }
	/** Another fault, which says nothing about limits. */
	| { kind: 'failed' };

/** What is known of an account besides its requests. */
export type AroundRequests = Pick<RequestsSeen, 'forecast' | 'share' | 'otherWaiting'>;

/**
 * The requests of an account that count (section "Limits"). Each counts until a full window after its answer, since
 * the service may have counted it at any time up to then. A 429 to anything but a creation shows that others use the
 * account, too: everything pauses, and polls are slower for a while (`plan/requests.ts`).
 */
export class Requests {
	/** What the account may send. Another credential for it, or a changed one, may set another limit. */
	limit: RequestLimit = ACCOUNT_KINDS[0];

	/** Set by triggers, whose lists show the jobs of all processes. */
	hasJobsElsewhere = false;

	private sent: SentRequest[] = [];

	private readonly pause: Pause;

	private nextPollAt = 0;

	/** The furthest that the time of day was seen ahead of the elapsed time, in ms. */
	private aheadMs: number;

	/** When the service last refused anything but a creation, elapsed ms. */
	private refusedAt = -Infinity;

	constructor(
		private readonly clock: Clock,
		private readonly around: () => AroundRequests,
	) {
		this.aheadMs = clock.now() - clock.elapsed();
		this.pause = new Pause(clock, FIRST_PAUSE_MS);
	}

	/** Notes that a request is sent. */
	send(priority: Priority): SentRequest {
		const request: SentRequest = { priority, backAt: Infinity };
		this.sent.push(request);
		const now = this.clock.elapsed();
		if (priority === 'poll') this.nextPollAt = now + pollGapMs(this.seen, now);
		return request;
	}

	/** Notes an answer. A 429 to a creation may be about running jobs alone: `Places` learns from that. */
	answered(request: SentRequest, answered: Answered): void {
		this.followJump();
		const now = this.clock.elapsed();
		request.isRefused = answered.kind === 'tooMany';
		request.backAt = now + this.limit.windowMs;
		if (answered.kind === 'taken') return this.pause.succeeded();
		if (answered.kind === 'failed' || request.priority === 'create') return;
		this.refusedAt = now;
		this.pause.extend(answered.retryAfterMs, mostPauseMs(this.seen, now));
	}

	get seen(): RequestsSeen {
		this.followJump();
		const now = this.clock.elapsed();
		this.sent = this.sent.filter(({ backAt }) => backAt > now);
		const { limit, sent, nextPollAt, hasJobsElsewhere, slowness } = this;
		const pausedUntil = this.pause.until;
		const around = this.around();
		return { limit, sent, pausedUntil, nextPollAt, hasJobsElsewhere, slowness, ...around };
	}

	/**
	 * While the machine slept, the service's windows went by. If somebody has only set the clock forward, some requests
	 * come too early, and the service refuses them.
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

	/** The factor by which polls are further apart after a 429; otherwise 1. */
	get slowness(): number {
		return slownessAfter(this.clock.elapsed() - this.refusedAt);
	}
}
