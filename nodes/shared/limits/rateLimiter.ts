import type { Clock } from '../clock/clock';
import {
	areJobsSeen,
	backoffBounds,
	freeAt,
	nextOpensAt,
	nextPriority,
	plannable,
	pollGapMs,
	PRIORITIES,
	slower,
	slownessLeft,
	type Priority,
	type RequestsSeen,
	type SentRequest,
} from '../plan/requests';
import { ACCOUNT_KINDS, type RequestLimit } from '../spec/limits';
import { Pause } from './backoff';
import type { ConcurrencyLimiter } from './concurrencyLimiter';
import { FairQueue } from './fairQueue';
import { QueueScheduler, type QueueEntry } from './queueScheduler';
import type { ShownOthers } from './shownOthers';

/** After a 429 that does not say how long. */
const BACKOFF = { firstMs: 1000, longestMs: 30_000 };

/** Clocks run unevenly by less, ms. */
const LEAST_JUMP_MS = 1000;

export interface Ticket {
	priority: Priority;
	/** The run it belongs to. */
	owner: object;
	/** Calls the request off while it waits. */
	signal?: AbortSignal;
}

/** What came of a request, as far as limits are concerned. */
export type Answered =
	| { kind: 'taken' }
	/** The service has refused it for a limit (429), and may say when to send it again. */
	| { kind: 'tooMany'; retryAfterMs?: number }
	/** Another fault, which tells nothing of limits. */
	| { kind: 'failed' };

/**
 * Keeps an account within its requests a minute, or an hour (section "Limits"): creations go first, polls of
 * running jobs are spread over what is left and have a share that reads cannot take, triggers have a small
 * share of what is held in reserve (`plan/requests.ts`), runs are served in turn.
 * A 429 to anything but a creation shows that others use the account, too: everything pauses, and polls keep a slower
 * pace for a while.
 */
export class RateLimiter {
	private readonly queues: Record<Priority, FairQueue<QueueEntry<SentRequest>>> = {
		create: new FairQueue(),
		end: new FairQueue(),
		read: new FairQueue(),
		poll: new FairQueue(),
		trigger: new FairQueue(),
	};

	private readonly scheduler: QueueScheduler;

	private sent: SentRequest[] = [];

	/** What the account may send; another credential, or a changed one, may set another. */
	limit: RequestLimit = ACCOUNT_KINDS[0];

	/** Set by triggers, whose lists show the jobs of all processes. */
	hasJobsElsewhere = false;

	private readonly pause: Pause;

	private nextPollAt = 0;

	/** How far the time of day has ever been ahead of the elapsed time, ms. */
	private aheadMs: number;

	/** How much slower polls are, and since when. */
	private slow = { at: 0, factor: 1 };

	constructor(
		private readonly clock: Clock,
		private readonly jobs: Pick<ConcurrencyLimiter, 'forecast'>,
		private readonly others: Pick<ShownOthers, 'share'>,
	) {
		this.aheadMs = clock.now() - clock.elapsed();
		this.pause = new Pause(clock, BACKOFF);
		this.scheduler = new QueueScheduler(clock, () => this.serve());
	}

	/**
	 * Waits for a request's turn. It counts until a full window after its answer, since the service
	 * may have counted it at any time between.
	 *
	 * @returns to be called with what came of it
	 * @throws the signal's reason, when it fires before
	 */
	async admit({ priority, owner, signal }: Ticket): Promise<(answered: Answered) => void> {
		const request: SentRequest = { priority, backAt: Infinity };
		await this.scheduler.wait(this.queues[priority], owner, request, { signal });
		return (answered) => {
			request.isRefused = answered.kind === 'tooMany';
			this.learn(answered, priority);
			request.backAt = this.clock.elapsed() + this.limit.windowMs;
			this.scheduler.serve();
		};
	}

	/** A 429 to a creation may be about running jobs alone, and is the concurrency limiter's to learn from. */
	private learn(answered: Answered, priority: Priority): void {
		this.followJump();
		if (answered.kind === 'taken') return this.pause.succeeded();
		if (answered.kind === 'failed' || priority === 'create') return;
		const now = this.clock.elapsed();
		// Tries in vain until there are requests again tell nothing new.
		if (this.pause.isOver && this.pause.hasSucceeded) {
			this.slow = { at: now, factor: slower(this.slowness) };
		}
		const bounds = backoffBounds(this.known(), BACKOFF.firstMs, now);
		this.pause.extend(answered.retryAfterMs, bounds);
	}

	/** Lets go on whoever may; says when to look again, elapsed ms. */
	private serve(): number | undefined {
		this.followJump();
		for (;;) {
			const now = this.clock.elapsed();
			const waiting = PRIORITIES.filter((name) => !this.queues[name].isEmpty);
			if (waiting.length === 0) return undefined;
			const known = this.known();
			const priority = nextPriority(known, waiting, now);
			if (!priority) {
				const { at } = nextOpensAt(known, waiting);
				return at === Infinity ? undefined : at;
			}
			const entry = this.queues[priority].take();
			if (entry) this.sent.push(entry.asks);
			if (priority === 'poll') this.nextPollAt = now + pollGapMs(this.known(), now);
			entry?.go();
		}
	}

	private known(): RequestsSeen {
		const now = this.clock.elapsed();
		this.sent = this.sent.filter(({ backAt }) => backAt > now);
		return {
			limit: this.limit,
			sent: this.sent,
			pausedUntil: this.pause.until,
			nextPollAt: this.nextPollAt,
			forecast: this.jobs.forecast,
			hasJobsElsewhere: this.hasJobsElsewhere,
			share: this.others.share,
			slowness: this.slowness,
			readsWaiting: this.queues.read.size,
		};
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
		this.slow.at -= jumpMs;
		this.pause.advance(jumpMs);
	}

	/** What polls that know well when to come may be planned with. */
	get plannable(): RequestLimit {
		return plannable(this.known());
	}

	/** When so many requests can be sent at once, elapsed ms. */
	freeAt(count: number): number {
		return freeAt(this.known(), count);
	}

	/** Whether jobs run, as far as is known, in this process or in another. */
	get isBusy(): boolean {
		return areJobsSeen(this.known());
	}

	/** How many times as far apart as usual polls are: others use the account, too. */
	get slowness(): number {
		return slownessLeft(this.slow.factor, this.clock.elapsed() - this.slow.at);
	}
}
