import type { FollowedJob, JobTurn } from '../account/account';
import { backoffMs, MAX_PAUSE_MS } from '../account/pauses';
import type { Place } from '../account/places';
import type { Clock } from '../clock/clock';
import type { Body } from '../service/bodies';
import type { SendOptions, Service } from '../service/service';
import { isRefusal, isUnreachable, ServiceError } from '../service/serviceError';
import { COMPLETED, FAILED, isFinal } from '../spec/answers';
import {
	failed,
	type JobError,
	type JobSnapshot,
	lost,
	type StatusPlace,
	stopped,
	timedOut,
} from './job';
import type { Follower } from './jobContext';
import { stateIn, type Hints } from './readRecord';
import { readStatus } from './readStatus';
import type { ShownJob } from './history';

/** How long to wait for a job, and what else is known about it. */
interface Waiting extends Pick<FollowedJob, 'typical'> {
	/** How long after the job's start waiting ends, ms; at most this long from now, whatever the clocks say. */
	timeoutMs: number;
	/** How long reads go on after that, ms, as long as none is answered. */
	graceMs?: number;
	/** Fires when the job is to be left alone. */
	signal?: AbortSignal;
	/** The history lists such jobs: one look at it polls several. */
	isInHistory?: boolean;
	/** Absent if no entry of the history may stand for its record. */
	shown?: ShownJob;
	/** Given back once the history tells that the job is completed. */
	place?: Place;
	/** Its record, read a moment ago. */
	record?: Body;
}

/** The job that is waited for. */
interface Awaited extends Pick<StatusPlace, 'path' | 'stateField' | 'found'> {
	id: string;
	/** When it was created, ms since 1970; waiting time counts from here. */
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
	return asRead(service, awaited, clock, await readStatus(service, awaited, sendOptions));
}

/** The job as its record tells of it. */
export function asRead(
	service: Service,
	awaited: Awaited,
	clock: Clock,
	record: Body,
): JobSnapshot {
	return {
		id: awaited.id,
		state: stateIn(record, stateHints(service, awaited)),
		record,
		creation: awaited.creation,
		waitedMs: clock.now() - awaited.startedAt,
	};
}

/** Where the state of a job is looked for first: in its documented field, then in that which the credential names. */
export const stateHints = (
	service: Pick<Service, 'field'>,
	{ stateField }: Pick<StatusPlace, 'stateField'>,
): Hints => ({
	documented: stateField === undefined ? [] : [stateField],
	set: service.field('stateField'),
});

/** Up to this age, ms, a job may not be known everywhere in the service. */
const NOT_FOUND_GRACE_MS = 30_000;

/** How long an answer is waited for when a job's time is up, ms: the job may have ended meanwhile. */
export const GRACE_MS = 30_000;

/** A job that was there is given up after this many refused polls in a row: one may be a passing fault. */
const MOST_REFUSALS = 3;

/**
 * Polls a job until it is completed, in its turns (`AccountLimits`). Passing faults (5xx, 429, broken connections,
 * garbage) are waited out: the job is paid for, and runs on whatever happens to our connection.
 *
 * @throws JobError when it failed, timed out, was stopped, or cannot be read; it carries the job
 * @throws ServiceError when a job that this run did not create cannot be reached at all
 */
export async function waitForJob(
	run: Follower,
	awaited: Awaited,
	waiting: Waiting,
): Promise<JobSnapshot> {
	const { clock, account } = run;
	const now = clock.now();
	const leftMs = awaited.startedAt + waiting.timeoutMs - now;
	const { id, startedAt, creation } = awaited;
	const { typical, isInHistory = false } = waiting;
	const job: FollowedJob = {
		id,
		startedAt,
		isOurs: creation !== undefined,
		deadlineAt: now + Math.min(Math.max(leftMs, 0), waiting.timeoutMs),
		graceMs: waiting.graceMs ?? GRACE_MS,
		typical,
		readAt: now,
		isSaidToEnd: false,
		notBefore: 0,
		isListed: isInHistory,
	};
	const unfollow = account.limits.follow(job);
	return await new JobWait(run, awaited, waiting, job).untilEnd().finally(unfollow);
}

/** The waiting for one job. */
class JobWait {
	private snapshot: JobSnapshot;

	/** Faults in a row, and the last of them. */
	private faults: { count: number; last?: ServiceError } = { count: 0 };

	/** How many of the last reads in a row were refused. */
	private refusals = 0;

	/** Its entry in the history, if that says that it is completed. */
	private entry?: Body;

	constructor(
		private readonly run: Follower,
		private readonly awaited: Awaited,
		private readonly waiting: Waiting,
		private readonly job: FollowedJob,
	) {
		const { id, creation } = awaited;
		this.snapshot = { id, creation, state: undefined, record: {}, waitedMs: 0 };
	}

	async untilEnd(): Promise<JobSnapshot> {
		const { job, run, waiting } = this;
		if (waiting.record) {
			this.snapshot = asRead(run.service, this.awaited, run.clock, waiting.record);
			job.polledAt = this.now;
			if (this.isCompleted()) return this.snapshot;
		}
		for (;;) {
			const turn = await run.account.limits.job(run, job, waiting.signal).catch(() => {
				throw stopped(this.snapshot);
			});
			if (turn.as === 'over') throw this.timedOut(false);
			if (turn.as === 'news') {
				if (this.hear(turn)) return this.snapshot;
				continue;
			}
			await this.read(turn);
			const isAnswered = this.faults.count === 0;
			if (isAnswered && this.isCompleted()) return this.snapshot;
			if (waiting.signal?.aborted) throw stopped(this.snapshot);
			const { graceUntil } = job;
			if (graceUntil === undefined) continue;
			if (isAnswered || this.now >= graceUntil) throw this.timedOut(isAnswered);
		}
	}

	/** @throws JobError if it has failed */
	private isCompleted(): boolean {
		if (this.snapshot.state === FAILED) throw failed(this.snapshot);
		return this.snapshot.state === COMPLETED;
	}

	private get now(): number {
		return this.run.clock.now();
	}

	private get ageMs(): number {
		return this.now - this.awaited.startedAt;
	}

	/** @param isAnswered whether the last read was answered */
	private timedOut(isAnswered: boolean): JobError {
		const { snapshot, entry, waiting, faults } = this;
		const state = entry ? COMPLETED : snapshot.state;
		const { timeoutMs } = waiting;
		return timedOut(snapshot, { timeoutMs, state, fault: faults.last, isAnswered });
	}

	/**
	 * Takes in what the history tells about the job. If that calls it ended, its place is free, and it is read.
	 *
	 * @returns whether the entry stands for its record
	 */
	private hear({ state, record }: JobTurn & { as: 'news' }): boolean {
		const { job, waiting, run, snapshot } = this;
		const seen = { ...snapshot, state, waitedMs: this.ageMs };
		job.isSaidToEnd = isFinal(state);
		this.entry = state === COMPLETED ? record : undefined;
		if (!job.isSaidToEnd) this.snapshot = seen;
		else waiting.place?.release();
		const { shown } = waiting;
		if (!this.entry || !shown || !run.account.shownResults.standsFor(shown, record)) return false;
		this.snapshot = { ...seen, record };
		return true;
	}

	/** Reads the job's own status. */
	private async read(granted: JobTurn & { as: 'read' }): Promise<void> {
		const { job, run, waiting, entry } = this;
		try {
			this.snapshot = await pollJob(run.service, this.awaited, run.clock, { granted });
			this.faults = { count: 0 };
			this.entry = undefined;
			this.refusals = 0;
			const { state = '', record } = this.snapshot;
			// A history that was wrong about a job is not asked about it any more.
			if (job.isSaidToEnd && !isFinal(state)) job.isListed = false;
			job.isSaidToEnd = false;
			if (waiting.shown && entry && state === COMPLETED)
				run.account.shownResults.compare(waiting.shown, entry, record);
		} catch (error) {
			this.tolerate(asServiceError(error));
		}
		job.polledAt = this.now;
		job.readAt = this.now;
		job.notBefore = this.faults.count > 0 ? this.backoffEnds() : 0;
	}

	/** Until when a service in trouble is not asked. After a 429, the account's own pause counts. */
	private backoffEnds(): number {
		const { count, last } = this.faults;
		if (last?.status === 429) return 0;
		const pause = backoffMs(count - 1);
		return this.now + Math.max(pause, Math.min(last?.retryAfterMs ?? 0, MAX_PAUSE_MS));
	}

	/** @throws JobError or the fault itself, unless another poll may succeed */
	private tolerate(fault: ServiceError): void {
		if (isWrongAddress(fault, this.snapshot)) throw fault;
		this.refusals = isRefusal(fault) ? this.refusals + 1 : 0;
		// A person may give a wrong ID: such a job must have been found before.
		const exists = this.awaited.creation !== undefined || this.snapshot.state !== undefined;
		const isYoung = fault.status === 404 && this.ageMs < NOT_FOUND_GRACE_MS;
		const mayPass = exists && (this.refusals < MOST_REFUSALS || isYoung);
		if (isRefusal(fault) && !mayPass) throw lost(this.snapshot, fault);
		// A poll that was not sent says nothing: the fault before it tells what is wrong.
		const last = fault.outcome === 'notSent' ? (this.faults.last ?? fault) : fault;
		this.faults = { count: this.faults.count + 1, last };
	}
}

function asServiceError(error: unknown): ServiceError {
	return error instanceof ServiceError
		? error
		: new ServiceError({ message: String(error), description: '', outcome: 'unknown' });
}

/** Whether nothing was ever there: no paid job of this run is at stake, and waiting would not help. */
function isWrongAddress(fault: ServiceError, { state, creation }: JobSnapshot): boolean {
	const { status = 0 } = fault;
	const isElsewhere = isUnreachable(fault) || (status >= 300 && status <= 399);
	return isElsewhere && state === undefined && creation === undefined;
}
