import { jobRecord, type Body } from '../service/bodies';
import { unreadable } from '../service/serviceError';
import { backoffMs, MAX_PAUSE_MS } from '../limits/backoff';
import type { Service, SendOptions } from '../service/service';
import { isRefusal, isUnreachable, ServiceError } from '../service/serviceError';
import { COMPLETED, FAILED, isFinal, isUnfinished, NOT_FOUND, READ } from '../spec/answers';
import { timeAt, WOKEN, type Clock } from '../clock/clock';
import { deadlineSignal, type Deadline } from '../clock/deadline';
import type { JobError, JobSnapshot, News } from './job';
import { failed, lost, stopped, timedOut } from './jobErrors';
import type { EndModel, Typical } from '../plan/endModel';
import type { HistoryPoller, Subscription } from './historyPoller';
import type { HistoryTrust, OutcomeReader } from './historyTrust';
import {
	isCheckDue,
	isLearned,
	isYoung,
	mayLook,
	nextPoll,
	standsForReads,
	type HistorySeen,
	type JobSeen,
} from '../plan/reads';
import { durationIn, stateIn, type Hints } from './readRecord';

export interface Waiting {
	/** ms between two polls at most; by the polling plan alone when absent. */
	maxPollIntervalMs?: number;
	/** ms after the job's start when waiting ends; not later than so long after now, whatever the clocks say. */
	timeoutMs: number;
	/** ms for which looks go on then, as long as none is answered. */
	graceMs?: number;
	/** When jobs of the kind end, where that is known. */
	typical?: Typical;
	clock: Clock;
	/** Fires when the user stops the execution. */
	signal?: AbortSignal;
	/** Polls several jobs with one request; for jobs that the history lists. */
	historyPoller?: HistoryPoller;
	/** Called when the history tells that the job has not ended. */
	onShownUnfinished?: () => void;
	/** Called when the history tells that the job is completed: its place is free. */
	onShownCompleted?: () => void;
	/** What is seen, and was, of jobs like it. */
	ages?: {
		/** When they end. */
		model(): EndModel;
		/** Before this age, ms, none has. */
		atLeastMs(): number;
		/** One goes on at this age, ms. */
		goesOn(ms: number): void;
	};
	/** By which entries of the history may be taken for records, and what they come to. */
	trust?: { of: HistoryTrust; reader: OutcomeReader };
	/** The job is known to have ended. */
	hasEnded?: boolean;
}

/** What is waited for. */
export interface Awaited {
	id: string;
	/** Request path of its status. */
	path: string;
	/** Documented field of the state there, where there is one. */
	stateField?: string;
	/** When it was created, elapsed ms; waiting time counts from here. */
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
		waitedMs: clock.elapsed() - awaited.startedAt,
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
	const leftMs = awaited.startedAt + timeoutMs - clock.elapsed();
	const subscription = historyPoller?.subscribe(awaited.id, watchedOf(awaited, waiting));
	const deadline = deadlineSignal(clock, clamp(leftMs, 0, timeoutMs), signal);
	const wait = new JobWait(service, awaited, waiting, deadline, subscription);
	try {
		return await wait.untilEnd();
	} finally {
		wait.forget();
		subscription?.end();
	}
}

const clamp = (ms: number, least: number, most: number) => Math.min(Math.max(ms, least), most);

function watchedOf({ startedAt }: Awaited, { ages }: Waiting) {
	if (!ages) return undefined;
	return {
		startedAt,
		knownAt: startedAt,
		get model() {
			return ages.model();
		},
		goesOn: ages.goesOn,
	};
}

/** A history may be so late, ms: the clocks of the service and latencies differ by as much. */
const LATE_MS = 300;

/** A job so young may not be known everywhere in the service. */
const NOT_FOUND_GRACE_MS = 30_000;

/** A 429 may pause the account for so long: a job that has ended meanwhile is not lost by that, ms. */
const GRACE_MS = MAX_PAUSE_MS;

/** After a poll that failed, ms; the longest where the user sets no Poll Interval. */
const FIRST_BACKOFF_MS = 1000;
const LONGEST_BACKOFF_MS = 10_000;

/** The waiting for one job. */
class JobWait {
	private snapshot: JobSnapshot;

	/** The last poll, its own or by the history, elapsed ms. */
	private polledAt?: number;

	/** The last poll of its own status. */
	private readAt: number;

	/** Faults in a row, and the last of them. */
	private faults: { count: number; last?: ServiceError } = { count: 0 };

	/** The history has told something since the last poll of its own status. */
	private wasTold = false;

	/** The history tells that it has ended. */
	private isSaidToEnd: boolean;

	/** The history has shown it to go on when it was over, by its own record. */
	private isShownLate = false;

	/** The last look has been answered. */
	private wasAnswered = true;

	/** Why it is polled now. */
	private because = '';

	/** As what: how it tells of it. */
	private entry?: JobSnapshot;

	/** The time is up: until when looks go on while none is answered. */
	private grace?: Deadline;

	/** @param deadline when its time is up; a look that is answered after that is the last one */
	constructor(
		private readonly service: Service,
		private readonly awaited: Awaited,
		private readonly waiting: Waiting,
		private readonly deadline: Deadline,
		private readonly subscription?: Subscription,
	) {
		this.snapshot = { ...awaited, state: undefined, record: {}, waitedMs: 0 };
		this.readAt = waiting.clock.elapsed();
		this.isSaidToEnd = waiting.hasEnded === true;
	}

	async untilEnd(): Promise<JobSnapshot> {
		const { clock, signal, graceMs = GRACE_MS } = this.waiting;
		for (;;) {
			await this.sleep();
			const isLate = clock.elapsed() >= this.deadline.at;
			// From now on, not from then: a machine may have slept.
			if (isLate) this.grace ??= deadlineSignal(clock, graceMs, signal);
			else if (await this.isToldToGoOn()) continue;
			if (this.snapshot.trust) return this.snapshot;
			await this.poll();
			const { state } = this.snapshot;
			const isAnswered = this.faults.count === 0;
			if (isAnswered && state === COMPLETED) return this.snapshot;
			if (isAnswered && state === FAILED) throw failed(this.snapshot);
			if (signal?.aborted) throw stopped(this.snapshot);
			if (this.grace && (isAnswered || clock.elapsed() >= this.grace.at)) throw this.timedOut();
		}
	}

	/** Stops the clocks. */
	forget(): void {
		this.deadline.forget();
		this.grace?.forget();
	}

	private timedOut(): JobError {
		const { snapshot, entry, awaited, waiting, faults } = this;
		const seen = entry ?? snapshot;
		return timedOut(snapshot, {
			timeoutMs: waiting.timeoutMs,
			seen: {
				state: seen.state,
				at: timeAt(waiting.clock, awaited.startedAt + seen.waitedMs),
				isListed: entry !== undefined,
			},
			fault: faults.last,
			isAnswered: faults.count === 0,
		});
	}

	/** What ends the looks of now. */
	private get limit(): Deadline {
		return this.grace ?? this.deadline;
	}

	/** Until the next poll is due, or the history has told something. */
	private async sleep(): Promise<void> {
		const { clock, signal } = this.waiting;
		// Whoever else has looked meanwhile may have put off the next look.
		for (let ms; (ms = this.nextPoll() - clock.elapsed()) > 0 && !this.subscription?.hasNews; ) {
			const nap = new AbortController();
			this.subscription?.onNews(() => nap.abort(WOKEN));
			const wakes = signal ? AbortSignal.any([nap.signal, signal]) : nap.signal;
			await clock.sleep(ms, wakes).catch(() => {});
			this.subscription?.onNews(undefined);
			if (signal?.aborted) break;
		}
		if (signal?.aborted) throw stopped(this.snapshot);
		if (this.subscription) this.subscription.isDue = true;
	}

	/** When that is, elapsed ms; notes why. */
	private nextPoll(): number {
		const { at, because } = nextPoll(this.seen, this.history, this.isScarce, this.now);
		this.because = because;
		return at;
	}

	private get now(): number {
		return this.waiting.clock.elapsed();
	}

	private get isScarce(): boolean {
		return this.service.isScarce === true;
	}

	private get seen(): JobSeen {
		const { awaited, waiting, deadline, grace, polledAt, readAt, isSaidToEnd, faults } = this;
		return {
			startedAt: awaited.startedAt,
			isOurs: awaited.creation !== undefined,
			deadlineAt: deadline.at,
			graceUntil: grace?.at,
			polledAt,
			readAt,
			isSaidToEnd,
			backoffUntil: faults.count > 0 ? this.backoffEnds() : undefined,
			maxPollIntervalMs: waiting.maxPollIntervalMs,
			typical: waiting.typical,
			earliestMs: waiting.ages?.atLeastMs() ?? 0,
			watched: this.subscription?.watched,
		};
	}

	/** What is known of the history, where it is polled for this job. */
	private get history(): HistorySeen | undefined {
		const { historyPoller, trust } = this.waiting;
		if (!this.subscription || !historyPoller) return undefined;
		const { of, reader } = trust ?? {};
		return historyPoller.seenBy(
			this.subscription,
			of && reader && { isTrusted: of.isTrusted(reader.kind), isPaused: of.isPaused },
		);
	}

	/** Whether the history stands for its own status. */
	private isWatched(): boolean {
		return this.history !== undefined && standsForReads(this.seen, this.history, this.now);
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
		const isWatched = this.isWatched();
		const news = this.subscription.take() ?? (await this.ask(historyPoller, this.subscription));
		// A look that met the limits is no reason for more requests.
		if (news === undefined) return isWatched && this.isWatched() && !this.wasAnswered;
		const { state } = news;
		this.isSaidToEnd = isFinal(state);
		if (state === COMPLETED) this.hearOfResult(news);
		if (this.isSaidToEnd) return false;
		this.wasTold = true;
		if (isUnfinished(state)) this.waiting.onShownUnfinished?.();
		this.polledAt = clock.elapsed();
		this.snapshot = { ...this.snapshot, state, waitedMs: this.polledAt - this.awaited.startedAt };
		return true;
	}

	/** Takes the entry for the record, where entries are to be trusted. */
	private hearOfResult({ state, record }: News): void {
		const { ages, clock, trust, historyPoller, onShownCompleted } = this.waiting;
		const { snapshot } = this;
		const waitedMs = clock.elapsed() - this.awaited.startedAt;
		this.entry = { ...snapshot, state, record, waitedMs, wentOnMs: snapshot.waitedMs };
		// Sooner than any before, it may not be over.
		const isLikely = waitedMs >= (ages?.model().earliestMs ?? 0);
		const taken = isLikely ? trust?.of.take(trust.reader, this.entry) : undefined;
		if (taken) this.snapshot = { ...this.entry, trust: taken };
		else onShownCompleted?.();
		this.isShownLate = snapshot.waitedMs > (durationIn(record) ?? Infinity) + LATE_MS;
		if (taken || this.isShownLate) historyPoller?.recordHit(!this.isShownLate);
	}

	private async ask(
		historyPoller: HistoryPoller,
		subscription: Subscription,
	): Promise<News | undefined> {
		const isWatched = this.isWatched();
		if (isWatched || this.mayAsk()) {
			const priority = isWatched ? 'end' : 'poll';
			const { signal } = this.deadline;
			const { because } = this;
			this.wasAnswered = await historyPoller.ask(this.service, { signal, priority, because });
		}
		return subscription.take();
	}

	private mayAsk(): boolean {
		return this.history !== undefined && mayLook(this.seen, this.history, this.now);
	}

	/** Reads the job's own status. */
	private async poll(): Promise<void> {
		const { clock, historyPoller } = this.waiting;
		const { seen, history, now } = this;
		const isPlanned =
			isYoung(seen, now) || (history !== undefined && isLearned(seen, history, this.isScarce));
		const priority = isPlanned || this.grace || this.isSaidToEnd ? 'end' : 'poll';
		// Of the history, where it has told anything since.
		const isCheck = isCheckDue(seen, now) && historyPoller?.isUseful && this.wasTold;
		try {
			const because = this.isSaidToEnd ? 'it is said to have ended' : this.because;
			const sendOptions: SendOptions = { priority, signal: this.limit.signal, because };
			const wentOnMs = this.snapshot.waitedMs;
			this.snapshot = {
				...(await pollJob(this.service, this.awaited, clock, sendOptions)),
				wentOnMs,
			};
			this.faults = { count: 0 };
			const hasEnded = isFinal(this.snapshot.state ?? '');
			if (!hasEnded) this.waiting.ages?.goesOn(this.snapshot.waitedMs);
			if (this.isSaidToEnd && !this.isShownLate) historyPoller?.recordHit(hasEnded);
			else if (isCheck && hasEnded && this.wasOverBy(wentOnMs)) historyPoller?.recordHit(false);
			if (hasEnded) this.compare();
			else if (this.entry) this.waiting.trust?.of.end();
			this.entry = undefined;
		} catch (error) {
			this.tolerate(asServiceError(error));
		}
		this.isSaidToEnd = false;
		this.wasTold = false;
		this.polledAt = clock.elapsed();
		this.readAt = clock.elapsed();
		const { watched } = this.subscription ?? {};
		if (watched) watched.knownAt = this.polledAt;
	}

	/** Whether it had ended at an age, ms; where its record does not tell, it may have. */
	private wasOverBy(ms: number): boolean {
		const { record, waitedMs } = this.snapshot;
		const tookMs = durationIn(record) ?? 0;
		return ms > tookMs + LATE_MS || tookMs > waitedMs + LATE_MS;
	}

	/** What the job's own status tells, with what the history does. */
	private compare(): void {
		const { trust } = this.waiting;
		trust?.of.expect(trust.reader, this.snapshot);
		if (this.entry)
			trust?.of.compare(this.entry.id, { state: COMPLETED, record: this.entry.record });
	}

	/** An identifier that a person gave may be wrong, until the service has known it once. */
	private isNotKnownYet({ status }: ServiceError): boolean {
		const { creation, startedAt } = this.awaited;
		const exists = creation !== undefined || this.snapshot.state !== undefined;
		const age = this.waiting.clock.elapsed() - startedAt;
		return status === NOT_FOUND && exists && age < NOT_FOUND_GRACE_MS;
	}

	/** @throws unless another poll may succeed */
	private tolerate(fault: ServiceError): void {
		if (isWrongAddress(fault, this.snapshot)) throw fault;
		const isNotKnownYet = this.isNotKnownYet(fault);
		// Before its time is up, that does not slow the looks down.
		if (isNotKnownYet && !this.grace) {
			this.faults = { count: 0, last: fault };
			return;
		}
		if (isRefusal(fault) && !isNotKnownYet) throw lost(this.snapshot, fault);
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
