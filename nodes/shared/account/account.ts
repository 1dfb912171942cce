import { createHash } from 'crypto';

import { later, type Clock } from '../clock/clock';
import { isFinal } from '../spec/answers';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import { type Looker, Looks, type News, type Shown } from './looks';
import { Places, type Place } from './places';
import {
	nextPollMs,
	type Typical,
	PRIORITIES,
	Requests,
	type Granted,
	type Priority,
} from './requests';

/** A job that is waited for; only the account's limits change this. Times: ms since 1970. */
export interface FollowedJob {
	readonly id: string;
	readonly startedAt: number;
	/** This run created it; any other job is first read at once. */
	readonly isOurs: boolean;
	readonly deadlineAt: number;
	/** How long reads go on after its time is up, as long as none is answered, in ms. */
	readonly graceMs: number;
	/** Until when that is; set when its time is up. */
	graceUntil?: number;
	readonly typical?: Typical;
	/** When it was last polled, by a read or by a look at the history; and when it was last read itself. */
	polledAt?: number;
	readAt: number;
	/** The history says that it has ended; no read has shown it yet. */
	isSaidToEnd: boolean;
	/** After a fault, it is not read before. */
	notBefore: number;
	/** The history lists it, as far as is known. */
	isListed: boolean;
}

/** What those who follow a job wait for. `over`: nobody could read it in time. */
export type JobTurn = ({ as: 'read' } & Granted) | ({ as: 'news' } & News) | { as: 'over' };

/** A request that somebody waits to send. */
interface Wish {
	priority: Priority;
	/** Not before, ms since 1970. */
	at: number;
	go(): void;
}

/** What tells when a job is to be polled. */
type Polled = Pick<FollowedJob, 'startedAt' | 'isOurs' | 'polledAt' | 'typical'>;

/** A job that nobody waits for any longer. */
interface LeftJob extends Polled {
	place: Place;
	/** When it gives that back, whether it has ended or not. */
	endsAt: number;
}

interface WaitingJob {
	run: Looker;
	job: FollowedJob;
	go(turn: JobTurn): void;
}

interface WaitingPlace {
	run: Looker;
	/** How many jobs its run may have running. */
	most: number;
	/** It goes before others of its run: the service has refused its job once. */
	isFirst: boolean;
	go(): void;
}

/** Whatever the history says, each job is read itself after this, in ms. */
const READ_ITSELF_MS = 30_000;

/** How long a job that nobody waits for holds its place where no typical time is documented, in ms. */
const LEFT_MS = 60_000;

/** How long the last read, which is due when the waiting ends, may take to be sent, in ms. */
const LAST_READ_MS = 2000;

/** A machine that sleeps lets no time pass for its timers: the clock is looked at this often, in ms. */
const LONGEST_SLEEP_MS = 60_000;

/**
 * The limits of an account in this process. All that is to be sent, and all that waits for a job, waits here: jobs are
 * created in places (`Places`); of the requests that are due, the most urgent goes first, once there is room for it
 * (`Requests`); polls come by a job's age (`nextPollMs`), and one look at the history polls several (`Looks`).
 */
export class AccountLimits {
	readonly places: Places;

	readonly requests: Requests;

	readonly looks: Looks;

	private readonly waitingPlaces = new Set<WaitingPlace>();

	private readonly waitingRequests = new Set<Wish>();

	private readonly waitingJobs = new Set<WaitingJob>();

	/** Jobs that are waited for. */
	private readonly jobs = new Set<FollowedJob>();

	/** Jobs that nobody waits for, by identifier, the oldest first. */
	private readonly left = new Map<string, LeftJob>();

	private alarm = new AbortController();

	private isToServe = false;

	constructor(private readonly clock: Clock) {
		this.places = new Places(clock, () => this.serveSoon());
		this.requests = new Requests(clock);
		this.looks = new Looks(clock);
	}

	/**
	 * Waits for a place for a job that is to be created.
	 *
	 * @param most how many jobs the run may have running
	 * @param options.isFirst it goes before other jobs of the run: the service has refused it once
	 * @throws the signal's reason, if it fires first
	 */
	async place(
		run: Looker,
		most: number,
		{ signal, isFirst = false }: { signal?: AbortSignal; isFirst?: boolean } = {},
	): Promise<Place> {
		return await this.turn(this.waitingPlaces, signal, (resolve: (place: Place) => void) => {
			return { run, most, isFirst, go: () => resolve(this.places.take(run)) };
		});
	}

	/** Waits until a request may be sent. @throws the signal's reason, if it fires first */
	async request(priority: Priority, signal?: AbortSignal): Promise<Granted> {
		return await this.turn(this.waitingRequests, signal, (resolve: (granted: Granted) => void) => {
			return { priority, at: 0, go: () => resolve(this.grant(priority, priority)) };
		});
	}

	/** Waits until there is something to do about a job. @throws the signal's reason, if it fires first */
	async job(run: Looker, job: FollowedJob, signal?: AbortSignal): Promise<JobTurn> {
		return await this.turn(this.waitingJobs, signal, (go: (turn: JobTurn) => void) => {
			return { run, job, go };
		});
	}

	/** Notes that a job is waited for. */
	follow(known: Omit<FollowedJob, 'readAt' | 'isSaidToEnd' | 'notBefore'>): FollowedJob {
		const job = { ...known, readAt: this.clock.now(), isSaidToEnd: false, notBefore: 0 };
		this.jobs.add(job);
		return job;
	}

	/** Nobody waits for a job any more. */
	unfollow(job: FollowedJob): void {
		this.jobs.delete(job);
	}

	/** A job was read. @param answer its state, or until when a fault puts off the next read */
	wasRead(job: FollowedJob, answer: { state?: string } | { notBefore: number }): void {
		job.polledAt = job.readAt = this.clock.now();
		job.notBefore = 'notBefore' in answer ? answer.notBefore : 0;
		if ('notBefore' in answer) return;
		// A history that was wrong about a job is not asked about it any more.
		if (job.isSaidToEnd && !isFinal(answer.state ?? '')) job.isListed = false;
		job.isSaidToEnd = false;
	}

	/**
	 * Nobody waits for a job any longer. It holds its place until such jobs have ended, or a look that somebody needs for a
	 * place shows that it has. If it takes longer, a 429 tells.
	 *
	 * @param facts.leftMs how long it holds its place, where that is another time, as until a parked run wakes, in ms
	 */
	leaveJob(
		id: string,
		place: Place,
		facts: Pick<LeftJob, 'startedAt' | 'typical'> & { leftMs?: number },
	): void {
		const { startedAt, typical, leftMs } = facts;
		const likelyAt = startedAt + (typical?.toMs ?? LEFT_MS);
		const endsAt = leftMs === undefined ? likelyAt : this.clock.now() + leftMs;
		// Two retries of one execution may leave the same job.
		this.forgetLeft(id);
		this.left.set(id, { startedAt, isOurs: true, typical, place, endsAt });
		this.serveSoon();
	}

	/** The place of a job that somebody waits for again. Not that of the earlier run: that one may be over. */
	takeBack(id: string, run: object): Place {
		// Taken before the old one is given back: a run that waits for a place must not get that of a running job.
		const place = this.places.take(run);
		this.forgetLeft(id);
		return place;
	}

	private forgetLeft(id: string): void {
		this.left.get(id)?.place.release();
		this.left.delete(id);
	}

	/** A run is over. */
	endRun(run: object): void {
		this.places.endRun(run);
		this.serveSoon();
	}

	/** Lets all go on whose turn it is. */
	private serve(): void {
		this.alarm.abort();
		for (;;) {
			const now = this.clock.now();
			for (const [id, { endsAt }] of this.left) if (endsAt <= now) this.forgetLeft(id);
			this.endWaits(now);
			this.earn();
			this.givePlaces(now);
			const { first, at } = this.next(now);
			if (!first) return this.wakeAt(at);
			first.go();
		}
	}

	/** Nobody could read these jobs in time. */
	private endWaits(now: number): void {
		for (const { job, go } of [...this.waitingJobs]) {
			// The grace begins now, not at the deadline: the machine may have slept since.
			if (now >= job.deadlineAt) job.graceUntil ??= now + job.graceMs;
			if (now >= (job.graceUntil ?? Infinity) + LAST_READ_MS) go({ as: 'over' });
		}
	}

	/** Free places go to the runs that have the fewest; within a run, the first to come goes first. */
	private givePlaces(now: number): void {
		const { places } = this;
		const isBlind = !this.looks.isUsable;
		if (now >= (isBlind ? places.tryAt : places.tryBlindAt)) places.tryOneMore({ isBlind });
		const own = ({ run }: WaitingPlace) => places.ownedBy(run);
		while (places.isFree) {
			const [first] = [...this.waitingPlaces]
				.filter((one) => own(one) < one.most)
				.sort((one, other) => own(one) - own(other) || Number(other.isFirst) - Number(one.isFirst));
			if (!first) return;
			first.go();
		}
	}

	/** The most urgent wish that is due, or when the next one is. */
	private next(now: number): { first?: Wish; at: number } {
		const opens = new Map(PRIORITIES.map((one) => [one, now + this.requests.opensInMs(one)]));
		const { tryAt, tryBlindAt } = this.places;
		const arePlacesWanted = this.waitingPlaces.size > 0;
		const frees = [tryAt, tryBlindAt, ...[...this.left.values()].map(({ endsAt }) => endsAt)];
		let at = arePlacesWanted ? Math.min(...frees.filter((one) => one > now)) : Infinity;
		let first: Wish | undefined;
		for (const wish of this.wishes(now)) {
			const due = Math.max(wish.at, opens.get(wish.priority)!);
			if (due > now) at = Math.min(at, due);
			else if (!first || rank(wish) < rank(first)) first = wish;
		}
		// However long the limits hold up its read, a job's time is up then.
		const ends = [...this.waitingJobs].map(({ job: { deadlineAt, graceUntil } }) =>
			graceUntil === undefined ? deadlineAt : graceUntil + LAST_READ_MS,
		);
		return { first, at: Math.min(at, ...ends) };
	}

	private *wishes(now: number): Iterable<Wish> {
		yield* this.waitingRequests;
		const look = this.lookForPlaces();
		if (look) yield look;
		// Of several jobs, the oldest has most likely ended.
		const inTurn = [...this.waitingJobs].sort(
			(one, other) => one.job.startedAt - other.job.startedAt,
		);
		for (const waiting of inTurn) yield this.wishFor(waiting, now);
	}

	/** What a job waits for: to be read, or to be polled by a look. */
	private wishFor(waiting: WaitingJob, now: number): Wish {
		const { run, job } = waiting;
		const read = (priority: Priority, at: number, because: string): Wish => ({
			priority,
			at: Math.max(at, job.notBefore),
			go: () => waiting.go({ as: 'read', ...this.grant(priority, because) }),
		});
		if (now >= job.deadlineAt) return read('end', 0, 'its time is up');
		if (job.isSaidToEnd) return read('end', 0, 'it is said to have ended');
		const at = Math.min(this.pollAt(job), job.deadlineAt);
		const isToBeRead = now - job.readAt >= READ_ITSELF_MS;
		if (isToBeRead || !job.isListed || !this.isLookUseful)
			return read('poll', at, 'it is due by its age');
		const { slowAt } = this.looks;
		if (slowAt !== undefined) return read('poll', Math.max(at, slowAt), 'no look came');
		return { priority: 'poll', at, go: () => void this.look(run, 'one look polls all jobs') };
	}

	/** When a job is to be polled: by its age, and once that is earned. */
	private pollAt({ startedAt, isOurs, polledAt, typical }: Polled): number {
		if (!isOurs && polledAt === undefined) return 0;
		const ms = nextPollMs((polledAt ?? startedAt) - startedAt, typical);
		return Math.max(startedAt + ms, this.requests.earnedBy);
	}

	/** Whether one look takes the place of several reads. */
	private get isLookUseful(): boolean {
		return this.looks.isUsable && this.listed.length > 1;
	}

	private get listed(): FollowedJob[] {
		return [...this.jobs].filter(({ isListed }) => isListed);
	}

	/** After a refused creation, a look shows whether a place is free, and so it does of jobs that nobody waits for. */
	private lookForPlaces(): Wish | undefined {
		const [first] = this.waitingPlaces;
		const { isUsable, slowAt } = this.looks;
		if (!first || !isUsable || slowAt !== undefined) return undefined;
		const left = [...this.left.values()].map((job) => this.pollAt(job));
		const at = Math.min(this.places.tryAt, ...left);
		if (at === Infinity) return undefined;
		const go = () => void this.look(first.run, 'a place may have been given back');
		return { priority: 'poll', at, go };
	}

	/** Asks the history about all jobs. */
	private async look(run: Looker, because: string): Promise<void> {
		const askedAt = this.clock.now();
		// Jobs that begin meanwhile may be too young to be listed.
		const jobs = this.listed;
		const shown = await this.looks.look(run, this.grant('poll', because));
		if (shown) this.hear(shown, jobs, askedAt);
		this.serveSoon();
	}

	/** A look that fails, or lacks a job, is a poll that did not help: such a job is read itself from then on. */
	private hear({ news, others }: Shown, jobs: readonly FollowedJob[], askedAt: number): void {
		const waiting = new Map([...this.waitingJobs].map((one) => [one.job, one]));
		for (const job of jobs) {
			const told = news.get(job.id);
			job.isListed = told !== undefined;
			if (!told) continue;
			job.polledAt = askedAt;
			const listener = waiting.get(job);
			if (!listener) continue;
			job.isSaidToEnd = isFinal(told.state);
			listener.go({ as: 'news', ...told });
		}
		for (const [id, job] of this.left) {
			job.polledAt = askedAt;
			if (isFinal(news.get(id)?.state ?? '')) this.forgetLeft(id);
		}
		// Jobs that are listed under other identifiers than ours look like those of others, and so may one that is created.
		const isTelling = jobs.length === 0 || jobs.some(({ isListed }) => isListed);
		if (isTelling) this.places.seeOthers(Math.max(0, others - this.places.creating));
	}

	private earn(): void {
		const { areShared, running } = this.places;
		const most = Math.max(running, Math.min(this.jobs.size, CONCURRENT_GENERATIONS));
		this.requests.earn(most, { mayHurry: !areShared && this.waitingPlaces.size === 0 });
	}

	private grant(priority: Priority, because: string): Granted {
		const request = this.requests.send(priority);
		return {
			because,
			answered: (tooMany) => {
				this.requests.answered(request, tooMany);
				this.serveSoon();
			},
		};
	}

	/** Resolves in the caller's turn; rejects with the signal's reason if it fires first. */
	private async turn<W, T>(
		line: Set<W>,
		signal: AbortSignal | undefined,
		waitingOf: (resolve: (turn: T) => void) => W,
	): Promise<T> {
		signal?.throwIfAborted();
		return await new Promise<T>((resolve, reject) => {
			const leave = () => {
				line.delete(waiting);
				reject(signal?.reason as Error);
			};
			const waiting = waitingOf((turn) => {
				line.delete(waiting);
				signal?.removeEventListener('abort', leave);
				resolve(turn);
			});
			signal?.addEventListener('abort', leave, { once: true });
			line.add(waiting);
			this.serveSoon();
		});
	}

	/** Calls `serve` once after all that happens at the same moment. */
	private serveSoon(): void {
		if (this.isToServe) return;
		this.isToServe = true;
		void Promise.resolve().then(() => {
			this.isToServe = false;
			this.serve();
		});
	}

	/** @param at Infinity where only an answer or a newcomer changes anything */
	private wakeAt(at: number): void {
		if (at === Infinity) return;
		this.alarm = new AbortController();
		const ms = Math.min(Math.max(0, at - this.clock.now()), LONGEST_SLEEP_MS);
		later(this.clock, ms, () => this.serve(), this.alarm.signal);
	}
}

const rank = ({ priority }: Wish) => PRIORITIES.indexOf(priority);

/**
 * Names an account without revealing its key: limits belong to an account, not to a node or an
 * execution (docs/maintainers/rules.md).
 */
export function accountId(baseUrl: string, key: string): string {
	// The same address may be written in several ways.
	const { href } = new URL(baseUrl);
	return createHash('sha256').update(`${href}\n${key}`).digest('hex');
}

/** Gives each account one object, shared by all executions of the process. */
export function perAccount<T>(
	make: (clock: Clock, account: string) => T,
): (account: string, clock: Clock) => T {
	const known = new Map<string, T>();
	return (account, clock) => {
		const own = known.get(account) ?? make(clock, account);
		known.set(account, own);
		return own;
	};
}

/** The limits of an account, shared by all that use it in this process. */
export const limitsOf = perAccount((clock) => new AccountLimits(clock));
