import { jobRecord, type Body } from '../service/bodies';
import { unreadable } from '../service/failures';
import { backoffMs, MAX_PAUSE_MS } from '../service/backoff';
import type { Service, SendOptions } from '../service/service';
import { isRefusal, isUnreachable, ServiceError } from '../service/serviceError';
import { COMPLETED, FAILED, isFinal, isUnfinished } from '../spec/states';
import { NOT_FOUND, READ } from '../spec/statuses';
import { WOKEN, type Clock } from '../clock/clock';
import { deadlineSignal, type Deadline } from '../clock/deadline';
import type { JobSnapshot } from './job';
import { failed, lost, stopped, timedOut } from './jobErrors';
import type { HistoryPoller, Subscription } from './historyPoller';
import { nextPollMs, type Typical } from './pollingPlan';
import { stateIn, type Hints } from './readRecord';

export interface Waiting {
	/** ms between two polls at most; by the polling plan alone when absent. */
	maxPollIntervalMs?: number;
	/** ms after which waiting ends. */
	timeoutMs: number;
	/** When it ends, ms since 1970, where that is not so long after now. */
	endsAt?: number;
	/** When jobs of the kind end, where that is known. */
	typical?: Typical;
	clock: Clock;
	/** Fires when the user stops the execution. */
	signal?: AbortSignal;
	/** Polls several jobs with one request; for jobs that the history lists. */
	historyPoller?: HistoryPoller;
	/** Called when the history tells that the job has not ended. */
	onShownUnfinished?: () => void;
}

/** What is waited for. */
export interface Awaited {
	id: string;
	/** Request path of its status. */
	path: string;
	/** Documented field of the state there, where there is one. */
	stateField?: string;
	/** ms since 1970; waiting time counts from here. */
	startedAt: number;
	/** The answer to its creation, where this run made it. */
	creation?: Body;
}

/**
 * Reads the state of a job once.
 *
 * @throws ServiceError when there is no readable answer
 */
export async function pollJob(
	service: Service,
	awaited: Awaited,
	clock: Clock,
	sendOptions?: SendOptions,
): Promise<JobSnapshot> {
	const body = await service.send({ method: 'GET', path: awaited.path }, sendOptions);
	const record = jobRecord(body);
	if (!record) throw unreadable(READ, JSON.stringify(body));
	return {
		id: awaited.id,
		state: stateIn(record, hintsOf(service, awaited)),
		record,
		creation: awaited.creation,
		waitedMs: clock.now() - awaited.startedAt,
	};
}

function hintsOf(service: Service, { stateField }: Awaited): Hints {
	return {
		documented: stateField === undefined ? [] : [stateField],
		set: service.field('state'),
	};
}

/**
 * Polls a job until it is completed, by the polling plan. Passing faults (5xx, 429, broken
 * connections, garbage) are waited out: the job is paid for, and goes on whatever happens to our
 * connection.
 *
 * @throws JobError when it failed, timed out, was stopped, or cannot be read; it carries the job
 * @throws ServiceError when a job that this run did not create cannot be reached at all
 */
export async function waitForJob(
	service: Service,
	awaited: Awaited,
	waiting: Waiting,
): Promise<JobSnapshot> {
	const { timeoutMs, clock, signal, historyPoller } = waiting;
	const { endsAt = clock.now() + timeoutMs } = waiting;
	const subscription = historyPoller?.subscribe(awaited.id);
	const deadline = deadlineSignal(clock, Math.max(0, endsAt - clock.now()), signal);
	try {
		return await new JobWait(service, awaited, waiting, deadline, subscription).untilEnd();
	} finally {
		deadline.forget();
		subscription?.end();
	}
}

/** A job so young is polled by itself: it may be done already, and others are not. */
const YOUNG_MS = 500;

/** A job so young may not be known everywhere in the service. */
const NOT_FOUND_GRACE_MS = 30_000;

/** However often the history tells that a job goes on, it is read by itself after this, ms. */
const TRUST_MS = 30_000;

/** After a poll that failed, ms; the longest where the user sets no Poll Interval. */
const FIRST_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 10_000;

/** The waiting for one job. */
class JobWait {
	private snapshot: JobSnapshot;

	/** The last poll, its own or by the history, ms since 1970. */
	private polledAt?: number;

	/** The last poll of its own status. */
	private readAt: number;

	/** Faults in a row, and the last of them. */
	private faults: { count: number; last?: ServiceError } = { count: 0 };

	/** The history has told something since the last poll of its own status. */
	private wasTold = false;

	/** The history tells that it has ended. */
	private isSaidToEnd = false;

	constructor(
		private readonly service: Service,
		private readonly awaited: Awaited,
		private readonly waiting: Waiting,
		private readonly deadline: Deadline,
		private readonly subscription?: Subscription,
	) {
		this.snapshot = { ...awaited, state: undefined, record: {}, waitedMs: 0 };
		this.readAt = waiting.clock.now();
	}

	async untilEnd(): Promise<JobSnapshot> {
		const { clock, signal, timeoutMs } = this.waiting;
		for (;;) {
			await this.sleep();
			const isLast = clock.now() >= this.deadline.at;
			if (!isLast && (await this.isToldToGoOn())) continue;
			await this.poll(isLast);
			const { state } = this.snapshot;
			if (this.faults.count === 0 && state === COMPLETED) return this.snapshot;
			if (this.faults.count === 0 && state === FAILED) throw failed(this.snapshot);
			if (signal?.aborted) throw stopped(this.snapshot);
			if (isLast) throw timedOut(this.snapshot, timeoutMs, this.faults.last);
		}
	}

	/** Until the next poll is due, or the history has told something. */
	private async sleep(): Promise<void> {
		const { clock, signal } = this.waiting;
		const ms = this.nextPollAt() - clock.now();
		if (ms > 0) {
			const nap = new AbortController();
			this.subscription?.onNews(() => nap.abort(WOKEN));
			const wakes = signal ? AbortSignal.any([nap.signal, signal]) : nap.signal;
			await clock.sleep(ms, wakes).catch(() => {});
			this.subscription?.onNews(undefined);
		}
		if (signal?.aborted) throw stopped(this.snapshot);
		if (this.subscription) this.subscription.isDue = true;
	}

	private nextPollAt(): number {
		const { typical, maxPollIntervalMs, historyPoller } = this.waiting;
		const { startedAt } = this.awaited;
		const polledMs = this.polledAt === undefined ? undefined : this.polledAt - startedAt;
		const isShared = this.subscription !== undefined && historyPoller?.isUseful;
		const { isScarce } = this.service;
		const plan = { typical, maxPollIntervalMs, isShared, isScarce };
		const planned = startedAt + nextPollMs(polledMs, plan);
		return Math.min(Math.max(planned, this.backoffEnds()), this.deadline.at);
	}

	/** A service in trouble is not asked at the usual pace. */
	private backoffEnds(): number {
		const { count, last } = this.faults;
		if (count === 0 || this.polledAt === undefined) return 0;
		const { maxPollIntervalMs: longestMs = LONGEST_BACKOFF_MS } = this.waiting;
		const pause = backoffMs({ firstMs: FIRST_BACKOFF_MS, longestMs }, count - 1);
		return this.polledAt + Math.max(pause, Math.min(last?.retryAfterMs ?? 0, MAX_PAUSE_MS));
	}

	/** Whether the history tells that the job has not ended, so that it need not be polled. */
	private async isToldToGoOn(): Promise<boolean> {
		const { clock, historyPoller } = this.waiting;
		if (!this.subscription || !historyPoller) return false;
		const state = this.subscription.take() ?? (await this.ask(historyPoller, this.subscription));
		if (state === undefined) return false;
		this.isSaidToEnd = isFinal(state);
		if (this.isSaidToEnd) return false;
		this.wasTold = true;
		if (isUnfinished(state)) this.waiting.onShownUnfinished?.();
		this.polledAt = clock.now();
		this.snapshot = { ...this.snapshot, state, waitedMs: this.polledAt - this.awaited.startedAt };
		return true;
	}

	private async ask(
		historyPoller: HistoryPoller,
		subscription: Subscription,
	): Promise<string | undefined> {
		if (this.mayAsk(historyPoller)) await historyPoller.ask(this.service, this.deadline.signal);
		return subscription.take();
	}

	private mayAsk(historyPoller: HistoryPoller): boolean {
		const isListed = this.subscription?.isListed === true && historyPoller.isUseful;
		return isListed && !this.isYoung() && !this.isCheckDue() && this.faults.count === 0;
	}

	private isYoung(): boolean {
		const { creation, startedAt } = this.awaited;
		return creation !== undefined && this.waiting.clock.now() - startedAt < YOUNG_MS;
	}

	/** Whatever the history says, the job is read by itself from time to time. */
	private isCheckDue(): boolean {
		const { clock, maxPollIntervalMs } = this.waiting;
		return clock.now() - this.readAt >= Math.max(TRUST_MS, maxPollIntervalMs ?? 0);
	}

	/** Reads the job's own status. */
	private async poll(isLast: boolean): Promise<void> {
		const { clock, historyPoller } = this.waiting;
		const priority = this.isYoung() || isLast || this.isSaidToEnd ? 'end' : 'poll';
		// Of the history, where it has told anything since.
		const isCheck = this.isCheckDue() && historyPoller?.isUseful && this.wasTold;
		try {
			const sendOptions: SendOptions = { priority, signal: this.deadline.signal };
			const wentOnMs = this.snapshot.waitedMs;
			this.snapshot = {
				...(await pollJob(this.service, this.awaited, clock, sendOptions)),
				wentOnMs,
			};
			this.faults = { count: 0 };
			const hasEnded = isFinal(this.snapshot.state ?? '');
			if (this.isSaidToEnd) historyPoller?.recordHit(hasEnded);
			else if (isCheck && hasEnded) historyPoller?.recordHit(false);
		} catch (error) {
			this.tolerate(asServiceError(error));
		}
		this.isSaidToEnd = false;
		this.wasTold = false;
		this.polledAt = clock.now();
		this.readAt = clock.now();
	}

	/** An identifier that a person gave may be wrong, until the service has known it once. */
	private isNotKnownYet({ status }: ServiceError): boolean {
		const { creation, startedAt } = this.awaited;
		const exists = creation !== undefined || this.snapshot.state !== undefined;
		const age = this.waiting.clock.now() - startedAt;
		return status === NOT_FOUND && exists && age < NOT_FOUND_GRACE_MS;
	}

	/** @throws unless another poll may succeed */
	private tolerate(fault: ServiceError): void {
		if (isWrongAddress(fault, this.snapshot)) throw fault;
		if (this.isNotKnownYet(fault)) {
			this.faults = { count: 0, last: fault };
			return;
		}
		if (isRefusal(fault)) throw lost(this.snapshot, fault);
		// A poll that was not sent says nothing: the one before it tells what is wrong.
		const last = fault.outcome === 'notSent' ? (this.faults.last ?? fault) : fault;
		this.faults = { count: this.faults.count + 1, last };
	}
}

function asServiceError(error: unknown): ServiceError {
	return error instanceof ServiceError
		? error
		: new ServiceError({ message: String(error), description: '', outcome: 'unknown' });
}

/** Nothing was ever there: no paid job of this run is at stake, and waiting would not help. */
function isWrongAddress(fault: ServiceError, { state, creation }: JobSnapshot): boolean {
	const { status = 0 } = fault;
	const isElsewhere = isUnreachable(fault) || (status >= 300 && status <= 399);
	return isElsewhere && state === undefined && creation === undefined;
}
