import { later, WOKEN, type Clock } from '../clock/clock';
import type { EndModel } from '../plan/endModel';
import { nextLook, type LooksSeen } from '../plan/looks';
import { nextTurn, type AccountSeen, type Turn, type Wish } from '../plan/next';
import type { Planned } from '../plan/planned';
import { areShort, forecastOf, gapBetweenLooksMs, gapBetweenReadsMs } from '../plan/pace';
import { MAX_ANSWER_MS, nextPoll, type HistorySeen, type JobSeen } from '../plan/reads';
import {
	areJobsSeen,
	isScarce,
	plannable,
	type Priority,
	type RequestsSeen,
} from '../plan/requests';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import { Durations } from './durations';
import { Line, type FollowedJob, type Waiting, type Waits } from './line';
import { perAccount } from './perAccount';
import { Places, type Place } from './places';
import { Requests, type Answered, type AroundRequests } from './requests';
import { ShownHistory } from './shownHistory';

/** A request that is granted. */
export interface Granted {
	/** Why, in words. */
	because: string;
	isCheck: boolean;
	/** To be called with what came of it. */
	answered(answered: Answered): void;
}

/** What those who follow a job wait for. */
export type JobTurn = ({ as: 'read' } & Granted) | { as: 'news' } | { as: 'over' };

/** The average duration assumed before any job has ended, in ms; if one has run for longer, its age is taken. */
const UNKNOWN_DURATION_MS = 6000;

/**
 * The one loop of an account in this process: all that is to be sent, and all that waits for a job, waits here. The
 * plan (`plan/next.ts`) decides whose turn it is. The loop gives the turn, and asks again whenever something has
 * changed or a planned time has come.
 */
export class AccountLoop {
	readonly durations = new Durations();

	readonly history: ShownHistory;

	readonly places: Places;

	readonly requests: Requests;

	/** Jobs that are waited for. */
	readonly jobs = new Set<FollowedJob>();

	/** Runs that look at the history when it is their turn. */
	private readonly lookers = new Set<object>();

	/** How many jobs have still to get in line, by run. */
	private readonly toCome = new Map<object, () => number>();

	private readonly line: Line;

	private isToServe = false;

	private alarm = new AbortController();

	constructor(private readonly clock: Clock) {
		this.history = new ShownHistory(clock);
		this.places = new Places(clock, this.history);
		this.requests = new Requests(clock, () => this.aroundRequests);
		this.line = new Line((owner) => this.places.ownedBy(owner));
	}

	/**
	 * Waits for a place for a job that is to be created.
	 *
	 * @param owner the run it belongs to
	 * @param most how many jobs this run may have running
	 * @param options.isFirst it goes before other jobs of the run: the service has refused it once
	 * @throws the signal's reason, if it fires first
	 */
	async place(
		owner: object,
		most: number,
		{ signal, isFirst }: { signal?: AbortSignal; isFirst?: boolean } = {},
	): Promise<Place> {
		if (this.line.places === 0) this.places.awaitFirstLook();
		const onTurn = () => this.occupy(owner);
		return await this.turn({ kind: 'place', most }, owner, { signal, isFirst, onTurn });
	}

	/** A place for a job that runs already, whether one is free or not. */
	occupy(owner: object): Place {
		return this.places.take(owner, () => this.serve());
	}

	/**
	 * Waits until a request may be sent.
	 *
	 * @throws the signal's reason, if it fires first
	 */
	async request(owner: object, priority: Priority, signal?: AbortSignal): Promise<Granted> {
		const onTurn = (turn: Turn) => this.grant(turn);
		return await this.turn({ kind: 'request', priority }, owner, { signal, onTurn });
	}

	/**
	 * Waits until a look at the history is due, which one run makes for all that wait.
	 *
	 * @param owner the run that looks
	 * @throws the signal's reason, if it fires first
	 */
	async look(owner: object, signal: AbortSignal): Promise<Granted> {
		this.lookers.add(owner);
		const onTurn = (turn: Turn) => {
			this.history.ask();
			return this.grant(turn);
		};
		return await this.turn({ kind: 'look' }, owner, { signal, onTurn }).catch((error: unknown) => {
			this.lookers.delete(owner);
			if (this.lookers.size === 0) this.serve();
			throw error;
		});
	}

	/**
	 * Waits until there is something to do about a job.
	 *
	 * @throws the signal's reason, if it fires first
	 */
	async job(owner: object, job: FollowedJob, signal?: AbortSignal): Promise<JobTurn> {
		const onTurn = (turn: Turn): JobTurn => {
			if (turn.as === 'read') return { as: 'read', ...this.grant(turn) };
			return { as: turn.as === 'over' ? 'over' : 'news' };
		};
		return await this.turn({ kind: 'job', job }, owner, { signal, onTurn });
	}

	/** Notes that a job is waited for. @returns to be called when nobody waits for it any more */
	follow(job: FollowedJob): () => void {
		this.jobs.add(job);
		return () => {
			this.jobs.delete(job);
			this.serveSoon();
		};
	}

	/**
	 * Announces jobs that get in line later: all at once, they would take memory for nothing.
	 *
	 * @param count how many are left
	 */
	expect(owner: object, count: () => number): void {
		this.toCome.set(owner, count);
	}

	/** A run is over: the places that it leaves behind count towards no run's limit. */
	leave(owner: object): void {
		this.toCome.delete(owner);
		this.places.leave(owner);
		this.serve();
	}

	/** Jobs that the history lists, and that may have ended. */
	get due(): FollowedJob[] {
		return [...this.jobs].filter((job) => job.wasDue && job.isInHistory && job.isListed);
	}

	/** Whether one look at the history can take the place of several reads. */
	get isHistoryUseful(): boolean {
		return this.history.isUsable && this.due.length > 1;
	}

	/** Whether jobs run, as far as is known, in this process or in another. */
	get areJobsSeen(): boolean {
		return areJobsSeen(this.requests.seen);
	}

	/** Whether requests are too few to poll jobs as often as the service's documentation does. */
	get isScarce(): boolean {
		return isScarce(this.requests.limit);
	}

	/** To be called whenever something has changed: lets all go on whose turn it is. */
	serve(): void {
		this.alarm.abort(WOKEN);
		if (this.line.isEmpty) return;
		for (;;) {
			const now = this.clock.elapsed();
			// Made once and passed on: most of a turn's time goes into this.
			const requests = this.requests.seen;
			this.noteTimes(requests, now);
			const first = this.line.candidates();
			const turn = nextTurn(this.seen(first, requests, now), now);
			if (!('index' in turn)) return this.wakeAt(turn.at);
			const waiting = first[turn.index]!;
			this.line.serve(waiting);
			waiting.go(turn);
		}
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

	private wakeAt(at: number): void {
		if (at === Infinity) return;
		this.alarm = new AbortController();
		const ms = Math.max(0, at - this.clock.elapsed());
		later(this.clock, ms, () => this.serve(), this.alarm.signal);
	}

	/** Resolves in the caller's turn to what `onTurn` returns; rejects with the signal's reason if it fires first. */
	private async turn<T>(
		waits: Waits,
		owner: object,
		{
			signal,
			isFirst,
			onTurn,
		}: { signal?: AbortSignal; isFirst?: boolean; onTurn: (turn: Turn) => T },
	): Promise<T> {
		signal?.throwIfAborted();
		return await new Promise<T>((resolve, reject) => {
			const leave = () => {
				this.line.remove(waiting);
				this.serveSoon();
				reject(signal?.reason as Error);
			};
			const waiting: Waiting = {
				...waits,
				owner,
				isFirst: isFirst === true,
				go: (turn) => {
					signal?.removeEventListener('abort', leave);
					resolve(onTurn(turn));
				},
			};
			signal?.addEventListener('abort', leave, { once: true });
			const mayBeNext = this.line.add(waiting);
			if (waiting.kind === 'job') this.serveSoon();
			else if (mayBeNext) this.serve();
		});
	}

	private grant({ priority, because, isCheck = false }: Turn): Granted {
		const request = this.requests.send(priority);
		return {
			because,
			isCheck,
			answered: (answered) => {
				this.requests.answered(request, answered);
				this.serveSoon();
			},
		};
	}

	/** Notes what time alone changes: jobs that have become due, and those whose time is up. */
	private noteTimes(requests: RequestsSeen, now: number): void {
		const { jobs } = this.line;
		for (const job of jobs) {
			// The grace begins now, not at the deadline: the machine may have slept since.
			if (now >= job.deadlineAt) job.graceUntil ??= now + job.graceMs;
		}
		const toCome = jobs.filter(({ wasDue }) => !wasDue);
		const history = toCome.length > 0 ? this.seenHistory(requests, now) : undefined;
		const { isScarce: areScarce } = this;
		for (const job of toCome) {
			const { at } = nextPoll(this.seenJob(job), history, areScarce, now);
			job.wasDue = at <= now;
		}
		const { askedAt = Infinity } = this.history;
		if (now >= askedAt + MAX_ANSWER_MS) this.places.doWithoutFirstLook();
	}

	private seen(waiting: readonly Waiting[], requests: RequestsSeen, now: number): AccountSeen {
		return {
			places: this.places.seen,
			requests,
			history: this.seenHistory(requests, now),
			wishes: waiting.map((one) => this.wishOf(one)),
		};
	}

	private wishOf(waiting: Waiting): Wish {
		if (waiting.kind === 'place') {
			const { most, owner } = waiting;
			return { kind: 'place', own: this.places.ownedBy(owner), most };
		}
		if (waiting.kind === 'job') return { kind: 'job', job: this.seenJob(waiting.job) };
		return waiting;
	}

	private seenJob(job: FollowedJob): JobSeen {
		const { kind, trustKind, news } = job;
		const { isDistrusted: isPaused } = this.history;
		return {
			...job,
			hasNews: news !== undefined,
			earliestMs: kind === undefined ? 0 : this.durations.atLeastMs(kind),
			model: this.modelOf(job),
			...(trustKind !== undefined && {
				trust: { grade: this.history.gradeOf(trustKind), isPaused },
			}),
		};
	}

	/** When jobs of the kind end, where that is learned. */
	modelOf({ kind, documented }: Pick<FollowedJob, 'kind' | 'documented'>): EndModel | undefined {
		return kind === undefined ? undefined : this.durations.model(kind, documented);
	}

	private seenHistory(requests: RequestsSeen, now: number): HistorySeen | undefined {
		if (this.lookers.size === 0) return undefined;
		const { history, averageMs, isHistoryUseful, queued } = this;
		const arePlacesWanted = queued > 0;
		const { isUsable, lookedAt, askedAt, chance } = history;
		const common = { lookedAt, areOthers: history.others.size > 0, arePlacesWanted, chance };
		const watched = [...this.jobs].filter(({ isInHistory }) => isInHistory);
		const pace = this.paceBeside(requests);
		let planned: Planned | undefined;
		const looks = (): LooksSeen => ({
			...common,
			watched: watched.flatMap((job) => {
				const model = this.modelOf(job);
				return model && job.isListed
					? [{ startedAt: job.startedAt, knownAt: job.knownAt, model }]
					: [];
			}),
			gapMs: gapBetweenLooksMs(pace, history.isAnyTrusted),
			averageMs,
		});
		return {
			...common,
			isUsable,
			askedAt,
			watching: watched.length,
			isUseful: isHistoryUseful,
			awaitsFirstLook: arePlacesWanted && this.places.seen.awaitsFirstLook,
			areShort: areShort(this.requests.limit, averageMs),
			// Computed only when read: most turns are found without it.
			get nextLook() {
				return (planned ??= nextLook(looks(), now));
			},
			ownReads: {
				arePlacesWanted,
				// A job whose creation is under way will be one of them.
				watching: Math.max(watched.length, this.places.active),
				gapMs: gapBetweenReadsMs(pace),
				averageMs,
			},
		};
	}

	/** Jobs that wait for a place, or will. */
	get queued(): number {
		return [...this.toCome.values()].reduce((sum, count) => sum + count(), this.line.places);
	}

	/** How long a job takes, on average, as far as is known, ms. */
	private get averageMs(): number {
		const { average } = this.durations;
		return Math.max(1, average ?? Math.max(UNKNOWN_DURATION_MS, this.places.oldestMs));
	}

	private get aroundRequests(): AroundRequests {
		const { active } = this.places;
		const followed = [...this.jobs].filter(({ isOurs }) => !isOurs).length;
		const { averageMs, queued } = this;
		return {
			forecast: forecastOf({ waiting: queued, active, followed, averageMs }),
			share: this.history.share,
			otherWaiting: this.line.other,
		};
	}

	/** What sets the pace of requests that look for ends. */
	private paceBeside(requests: RequestsSeen) {
		const { places, queued, averageMs, history } = this;
		const running = places.active + places.ofOthers + queued;
		return {
			limit: plannable(requests),
			share: history.share,
			slowness: requests.slowness,
			running: Math.max(1, Math.min(CONCURRENT_GENERATIONS, running)),
			averageMs,
		};
	}
}

/** The loop of an account, shared by all that use it in this process. */
export const loopOf = perAccount((clock) => new AccountLoop(clock));
