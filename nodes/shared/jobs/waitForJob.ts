import { jobRecord, type Body } from '../service/bodies';
import { unreadable } from '../service/failures';
import { MAX_PAUSE_MS } from '../service/rateLimiter';
import type { Service, Turn } from '../service/service';
import { isTooMany, isUnreachable, ServiceError } from '../service/serviceError';
import { COMPLETED, FAILED, isFinal, isUnfinished } from '../spec/states';
import { NOT_FOUND, READ } from '../spec/statuses';
import { WOKEN, type Clock } from '../clock/clock';
import { deadlineSignal, type Deadline } from '../clock/deadline';
import type { SeenJob } from './job';
import { failed, lost, stopped, timedOut } from './jobErrors';
import type { Lookout, Watch } from './historyPoller';
import { nextLook, type Typical } from './pollingPlan';
import { stateIn, type Hints } from './readRecord';

export interface Waiting {
	/** ms between two looks at most; by the polling plan alone when absent. */
	ceilingMs?: number;
	/** ms after which waiting ends. */
	timeoutMs: number;
	/** When it ends, ms since 1970, where that is not so long after now. */
	endsAt?: number;
	/** When jobs of the kind end, where that is known. */
	typical?: Typical;
	clock: Clock;
	/** Fires when the user stops the execution. */
	signal?: AbortSignal;
	/** Looks at several jobs with one request; for jobs that the history lists. */
	lookout?: Lookout;
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
export async function lookAtJob(
	service: Service,
	awaited: Awaited,
	clock: Clock,
	turn?: Turn,
): Promise<SeenJob> {
	const body = await service.send({ method: 'GET', path: awaited.path }, turn);
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
): Promise<SeenJob> {
	const { timeoutMs, clock, signal, lookout } = waiting;
	const { endsAt = clock.now() + timeoutMs } = waiting;
	const watch = lookout?.watch(awaited.id);
	const deadline = deadlineSignal(clock, Math.max(0, endsAt - clock.now()), signal);
	try {
		return await new Wait(service, awaited, waiting, deadline, watch).untilEnd();
	} finally {
		deadline.forget();
		watch?.end();
	}
}

/** A job so young is looked at by itself: it may be done already, and others are not. */
const YOUNG_MS = 500;

/** A job so young may not be known everywhere in the service. */
const UNKNOWN_MS = 30_000;

/** However often the history tells that a job goes on, it is read by itself after this, ms. */
const TRUST_MS = 30_000;

/** First pause after a look that failed, ms; doubled with each that follows, up to the ceiling. */
const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 10_000;

/** The waiting for one job. */
class Wait {
	private seen: SeenJob;

	/** The last look, its own or by the history, ms since 1970. */
	private lookedAt?: number;

	/** The last look by itself. */
	private readAt: number;

	/** Faults in a row, and the last of them. */
	private faults: { count: number; last?: ServiceError } = { count: 0 };

	/** The history has told something since the last look by itself. */
	private wasTold = false;

	/** The history tells that it has ended. */
	private isSaidToEnd = false;

	constructor(
		private readonly service: Service,
		private readonly awaited: Awaited,
		private readonly waiting: Waiting,
		private readonly deadline: Deadline,
		private readonly watch?: Watch,
	) {
		this.seen = { ...awaited, state: undefined, record: {}, waitedMs: 0 };
		this.readAt = waiting.clock.now();
	}

	async untilEnd(): Promise<SeenJob> {
		const { clock, signal, timeoutMs } = this.waiting;
		for (;;) {
			await this.sleep();
			const isLast = clock.now() >= this.deadline.at;
			if (!isLast && (await this.isToldToGoOn())) continue;
			await this.look(isLast);
			const { state } = this.seen;
			if (this.faults.count === 0 && state === COMPLETED) return this.seen;
			if (this.faults.count === 0 && state === FAILED) throw failed(this.seen);
			if (signal?.aborted) throw stopped(this.seen);
			if (isLast) throw timedOut(this.seen, timeoutMs, this.faults.last);
		}
	}

	/** Until the next look is due, or the history has told something. */
	private async sleep(): Promise<void> {
		const { clock, signal } = this.waiting;
		const ms = this.nextLookAt() - clock.now();
		if (ms > 0) {
			const nap = new AbortController();
			this.watch?.onNews(() => nap.abort(WOKEN));
			const wakes = signal ? AbortSignal.any([nap.signal, signal]) : nap.signal;
			await clock.sleep(ms, wakes).catch(() => {});
			this.watch?.onNews(undefined);
		}
		if (signal?.aborted) throw stopped(this.seen);
		if (this.watch) this.watch.isDue = true;
	}

	private nextLookAt(): number {
		const { typical, ceilingMs, lookout } = this.waiting;
		const { startedAt } = this.awaited;
		const looked = this.lookedAt === undefined ? undefined : this.lookedAt - startedAt;
		const isShared = this.watch !== undefined && lookout?.isUseful;
		const planned = startedAt + nextLook(looked, { typical, ceilingMs, isShared });
		return Math.min(Math.max(planned, this.pauseEnds()), this.deadline.at);
	}

	/** A service in trouble is not asked at the usual pace. */
	private pauseEnds(): number {
		const { count, last } = this.faults;
		if (count === 0 || this.lookedAt === undefined) return 0;
		const { ceilingMs = LONGEST_PAUSE_MS } = this.waiting;
		const pause = Math.min(FIRST_PAUSE_MS * 2 ** (count - 1), ceilingMs);
		return this.lookedAt + Math.max(pause, Math.min(last?.retryAfterMs ?? 0, MAX_PAUSE_MS));
	}

	/** Whether the history tells that the job has not ended, so that it need not be looked at. */
	private async isToldToGoOn(): Promise<boolean> {
		const { clock, lookout } = this.waiting;
		if (!this.watch || !lookout) return false;
		const state = this.watch.take() ?? (await this.ask(lookout, this.watch));
		if (state === undefined) return false;
		this.isSaidToEnd = isFinal(state);
		if (this.isSaidToEnd) return false;
		this.wasTold = true;
		if (isUnfinished(state)) this.waiting.onShownUnfinished?.();
		this.lookedAt = clock.now();
		this.seen = { ...this.seen, state, waitedMs: this.lookedAt - this.awaited.startedAt };
		return true;
	}

	private async ask(lookout: Lookout, watch: Watch): Promise<string | undefined> {
		if (this.mayAsk(lookout)) await lookout.ask(this.service, this.deadline.signal);
		return watch.take();
	}

	private mayAsk(lookout: Lookout): boolean {
		const isListed = this.watch?.isListed === true && lookout.isUseful;
		return isListed && !this.isYoung() && !this.isCheckDue() && this.faults.count === 0;
	}

	private isYoung(): boolean {
		const { creation, startedAt } = this.awaited;
		return creation !== undefined && this.waiting.clock.now() - startedAt < YOUNG_MS;
	}

	/** Whatever the history says, the job is read by itself from time to time. */
	private isCheckDue(): boolean {
		const { clock, ceilingMs } = this.waiting;
		return clock.now() - this.readAt >= Math.max(TRUST_MS, ceilingMs ?? 0);
	}

	/** Reads the job's own status. */
	private async look(isLast: boolean): Promise<void> {
		const { clock, lookout } = this.waiting;
		const lane = this.isYoung() || isLast || this.isSaidToEnd ? 'end' : 'look';
		// Of the history, where it has told anything since.
		const isCheck = this.isCheckDue() && lookout?.isUseful && this.wasTold;
		try {
			const turn: Turn = { lane, signal: this.deadline.signal };
			const wentOnMs = this.seen.waitedMs;
			this.seen = { ...(await lookAtJob(this.service, this.awaited, clock, turn)), wentOnMs };
			this.faults = { count: 0 };
			const hasEnded = isFinal(this.seen.state ?? '');
			if (this.isSaidToEnd) lookout?.judge(hasEnded);
			else if (isCheck && hasEnded) lookout?.judge(false);
		} catch (error) {
			this.endure(asServiceError(error));
		}
		this.isSaidToEnd = false;
		this.wasTold = false;
		this.lookedAt = clock.now();
		this.readAt = clock.now();
	}

	/** An identifier that a person gave may be wrong, until the service has known it once. */
	private isNotKnownYet({ status }: ServiceError): boolean {
		const { creation, startedAt } = this.awaited;
		const exists = creation !== undefined || this.seen.state !== undefined;
		const age = this.waiting.clock.now() - startedAt;
		return status === NOT_FOUND && exists && age < UNKNOWN_MS;
	}

	/** @throws unless another look may succeed */
	private endure(fault: ServiceError): void {
		if (isWrongAddress(fault, this.seen)) throw fault;
		if (this.isNotKnownYet(fault)) {
			this.faults = { count: 0, last: fault };
			return;
		}
		if (!isPassing(fault)) throw lost(this.seen, fault);
		// A look that was not sent says nothing: the one before it tells what is wrong.
		const last = fault.outcome === 'notSent' ? (this.faults.last ?? fault) : fault;
		this.faults = { count: this.faults.count + 1, last };
	}
}

function asServiceError(error: unknown): ServiceError {
	return error instanceof ServiceError
		? error
		: new ServiceError({ message: String(error), description: '', outcome: 'unknown' });
}

/** Whether another look may succeed. */
function isPassing(fault: ServiceError): boolean {
	return fault.outcome !== 'refused' || isTooMany(fault);
}

/** Nothing was ever there: no paid job of this run is at stake, and waiting would not help. */
function isWrongAddress(fault: ServiceError, { state, creation }: SeenJob): boolean {
	const { status = 0 } = fault;
	const isElsewhere = isUnreachable(fault) || (status >= 300 && status <= 399);
	return isElsewhere && state === undefined && creation === undefined;
}
