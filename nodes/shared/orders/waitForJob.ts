import type { FollowedJob, JobTurn } from '../account/account';
import { backoffMs, MAX_PAUSE_MS, type Typical } from '../account/requests';
import type { Place } from '../account/places';
import type { Clock } from '../clock/clock';
import type { Body } from '../spec/values';
import type { SendOptions, Service } from '../service/service';
import { isRefusal, isUnreachable, ServiceError } from '../service/serviceError';
import { COMPLETED, FAILED, isFinal, NOT_FOUND } from '../spec/answers';
import type { ShownJob } from './history';
import {
	failed,
	type Job,
	type JobError,
	type JobSnapshot,
	lost,
	type StatusPlace,
	stopped,
	timedOut,
} from './job';
import type { Follower } from './jobContext';
import { type Hints, stateIn } from './readRecord';
import { readStatus } from './readStatus';

/** A job to be read. Its `startedAt` is when waiting for it began, where its creation is not known. */
interface ReadableJob extends Pick<Job, 'id' | 'startedAt'>, Partial<Pick<Job, 'creation'>> {
	status: StatusPlace;
}

/** How long to wait for a job, and what else is known about it. */
interface Waiting {
	/** How long after the job's start, or after `since`, waiting ends, ms; at most this long from now, whatever the clock says. */
	timeoutMs: number;
	since?: number;
	/** How long reads go on after that, ms, as long as none is answered. */
	graceMs?: number;
	typical?: Typical;
	/** Absent if no entry of the history may stand for its record. */
	shown?: ShownJob;
	/** Given back once the history tells that the job is completed. */
	place?: Place;
	/** Its record, read a moment ago. */
	record?: Body;
}

/**
 * Reads the state of a job once.
 *
 * @throws ServiceError when there is no readable answer
 */
export async function pollJob(
	service: Service,
	job: ReadableJob,
	clock: Clock,
	sendOptions?: SendOptions,
): Promise<JobSnapshot> {
	return asRead(service, job, clock, await readStatus(service, job.status, sendOptions));
}

/** The job as its record tells of it. */
export function asRead(
	service: Service,
	{ id, status, creation, startedAt }: ReadableJob,
	clock: Clock,
	record: Body,
): JobSnapshot {
	const state = stateIn(record, stateHints(service, status));
	return { id, state, record, creation, waitedMs: clock.now() - startedAt };
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
	job: ReadableJob,
	waiting: Waiting,
): Promise<JobSnapshot> {
	const { clock, account } = run;
	const { id, startedAt, creation, status } = job;
	const { timeoutMs, since = startedAt, graceMs = GRACE_MS, typical, record } = waiting;
	const now = clock.now();
	const leftMs = Math.min(Math.max(since + timeoutMs - now, 0), timeoutMs);
	const followed = account.limits.follow({
		...{ id, startedAt, graceMs, typical },
		isOurs: creation !== undefined,
		deadlineAt: now + leftMs,
		isListed: status.isInHistory ?? false,
		...(record && { polledAt: now }),
	});
	return await new JobWait(run, job, waiting, followed)
		.untilEnd()
		.finally(() => account.limits.unfollow(followed));
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
		private readonly job: ReadableJob,
		private readonly waiting: Waiting,
		private readonly followed: FollowedJob,
	) {
		const { id, creation } = job;
		this.snapshot = { id, creation, state: undefined, record: {}, waitedMs: 0 };
	}

	async untilEnd(): Promise<JobSnapshot> {
		const { followed, run, waiting } = this;
		if (waiting.record) {
			this.snapshot = asRead(run.service, this.job, run.clock, waiting.record);
			if (this.isCompleted()) return this.snapshot;
		}
		for (;;) {
			const turn = await run.account.limits.job(run, followed, run.signal).catch(() => {
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
			if (run.signal?.aborted) throw stopped(this.snapshot);
			const { graceUntil } = followed;
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
		return this.now - this.job.startedAt;
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
		const { waiting, run, snapshot } = this;
		const seen = { ...snapshot, state, waitedMs: this.ageMs };
		this.entry = state === COMPLETED ? record : undefined;
		if (isFinal(state)) waiting.place?.release();
		else this.snapshot = seen;
		const { shown } = waiting;
		if (!this.entry || !shown || !run.account.shownResults.standsFor(shown, record)) return false;
		this.snapshot = { ...seen, record };
		return true;
	}

	/** Reads the job's own status. */
	private async read(granted: JobTurn & { as: 'read' }): Promise<void> {
		const { followed, run, waiting, entry } = this;
		const { limits, shownResults } = run.account;
		try {
			this.snapshot = await pollJob(run.service, this.job, run.clock, { granted });
		} catch (error) {
			this.tolerate(asServiceError(error));
			return limits.wasRead(followed, { notBefore: this.backoffEnds() });
		}
		this.faults = { count: 0 };
		this.entry = undefined;
		this.refusals = 0;
		const { state, record } = this.snapshot;
		limits.wasRead(followed, { state });
		if (waiting.shown && entry && state === COMPLETED)
			shownResults.compare(waiting.shown, entry, record);
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
		const exists = this.job.creation !== undefined || this.snapshot.state !== undefined;
		const isYoung = fault.status === NOT_FOUND && this.ageMs < NOT_FOUND_GRACE_MS;
		const mayPass = exists && (this.refusals < MOST_REFUSALS || isYoung);
		if (isRefusal(fault) && !mayPass) throw lost(this.snapshot, this.job.status.path, fault);
		this.faults = { count: this.faults.count + 1, last: fault };
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
