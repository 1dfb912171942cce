import type { Service, SendOptions } from '../service/service';
import { isTooMany, ServiceError } from '../service/serviceError';
import { JOB_HISTORY } from '../spec/jobs';
import { CONCURRENT_GENERATIONS, REQUEST_WINDOW_MS } from '../spec/limits';
import { CREATED_AT_FIELD, isFinal, isUnfinished } from '../spec/answers';
import { elapsedAt, randomOf, WOKEN, type Clock } from '../clock/clock';
import { historyEntries } from './historyEntries';
import { paceOf, type Limits } from '../limits/limits';
import type { Claims } from './claims';
import type { HistoryTrust } from './historyTrust';
import type { News } from './job';
import { nextLook, REQUESTS_OF_LOOK, type Watched } from '../plan/looks';
import { areShort, gapBetweenLooksMs, gapBetweenReadsMs } from '../plan/pace';
import type { Planned } from '../plan/planned';
import type { HistorySeen } from '../plan/reads';
import { textIn } from './readRecord';

/** Entries of the history that are asked for. */
const LEAST_ENTRIES = 20;
const MOST_ENTRIES = 50;

/** Entries that are read of a history with more than were asked for. */
const MOST_READ = 4 * MOST_ENTRIES;

/** A history that was wrong, or did not answer, so many times in a row is not asked for a while. */
const MISSES = 2;
const FAULTS = 3;

/** One that does not list so many jobs between two ends that it tells of is as useless. */
const MOST_UNLISTED = 4;

/** Longest time to wait for its answer, and for the request to be sent, ms. */
const MAX_ANSWER_MS = 3000;
const QUEUE_MS = REQUEST_WINDOW_MS;

/** A job that has not ended for so long, and is not of this process, takes no place any more, ms. */
const FORGOTTEN_MS = 900_000;

/** A request for the history that is under way. */
interface Asked {
	/** Settles when it is sent. */
	sent: Promise<void>;
	/** Whether it was answered. */
	answer: Promise<boolean>;
}

/** A job that is watched. */
interface WatchedJob extends Watched {
	/** Called when it is seen to go on, with its age, ms. */
	goesOn?: (ms: number) => void;
}

/**
 * Polls all running generations of an account with one request: the generation history. What it
 * shows is not documented, so it is a hint and no more: an end that it tells of is read from the
 * job's own status, each job is read by itself from time to time, and a history that is of no use
 * is not asked again. Only where it was seen to tell the same (HistoryTrust), more is made of it.
 */
export class HistoryPoller {
	private readonly subscriptions = new Map<string, Subscription>();

	/** What the history still shows to run, and does not. */
	private readonly ghosts = new Set<string>();

	private asked?: Asked;

	/** In a row. */
	private misses = 0;
	private faults = 0;

	/** Jobs that it does not list, since it has told of an end. */
	private unlisted = 0;

	/** When to look again, unless something changes. */
	private planned?: Planned;

	constructor(
		private readonly clock: Clock,
		readonly limits: Limits,
		private readonly trust: HistoryTrust,
		private readonly claims: Claims,
	) {}

	/** Begins to watch for a job; `end` it. */
	subscribe(id: string, watched?: WatchedJob): Subscription {
		const subscription = new Subscription(watched, () => {
			if (this.subscriptions.get(id) !== subscription) return;
			this.subscriptions.delete(id);
			this.planned = undefined;
		});
		this.subscriptions.set(id, subscription);
		this.planned = undefined;
		return subscription;
	}

	/** Whether one request can take the place of several. */
	get isUseful(): boolean {
		return this.limits.others.isUsable && this.due().length > 1;
	}

	/** Jobs that are watched. */
	get watching(): number {
		return this.subscriptions.size;
	}

	/**
	 * When the history is to be looked at again: as soon as it is likely enough that jobs have ended to
	 * be worth a request.
	 */
	nextLook(): Planned {
		this.planned ??= this.plan();
		return this.planned;
	}

	private plan(): Planned {
		const { others, limiter, rateLimiter } = this.limits;
		const listed = [...this.subscriptions.values()].filter(({ isListed }) => isListed);
		return nextLook(
			{
				watched: listed.flatMap(({ watched }) => watched ?? []),
				lookedAt: others.lookedAt,
				areOthers: others.isAny,
				isBusy: this.isBusy,
				gapMs: gapBetweenLooksMs(paceOf(this.limits), this.trust.isAnyTrusted),
				averageMs: limiter.averageMs,
				freeAt: rateLimiter.freeAt(REQUESTS_OF_LOOK),
				chance: 2 * randomOf(this.clock) - 1,
			},
			this.clock.elapsed(),
		);
	}

	/** Jobs that wait for a place. */
	private get isBusy(): boolean {
		return this.limits.limiter.waiting > 0;
	}

	/** What is known of the history as far as one job is concerned. */
	seenBy({ isListed }: Subscription, trust: HistorySeen['trust']): HistorySeen {
		const { others, limiter, rateLimiter } = this.limits;
		const { isBusy, watching } = this;
		return {
			isUsable: others.isUsable,
			isListed,
			trust,
			watching,
			isUseful: this.isUseful,
			isBusy,
			isOpening: isBusy && limiter.isOpening,
			areOthers: others.isAny,
			areShort: areShort(rateLimiter.limit, limiter.averageMs),
			nextLook: this.nextLook(),
			ownReads: {
				isBusy,
				watching,
				gapMs: gapBetweenReadsMs(paceOf(this.limits)),
				averageMs: limiter.averageMs,
			},
		};
	}

	/**
	 * Asks the history, or waits for the answer that is under way; tells all subscriptions.
	 *
	 * @returns whether it was answered
	 */
	async ask(
		service: Service,
		{ signal, priority = 'poll', because }: Omit<SendOptions, 'onSend'> = {},
	): Promise<boolean> {
		this.asked ??= this.begin(service, { priority, signal, because });
		const { sent, answer } = this.asked;
		const done = new AbortController();
		const ends = AbortSignal.any(signal ? [done.signal, signal] : [done.signal]);
		const over = () => false;
		const late = this.clock.sleep(QUEUE_MS, ends).then(over, over);
		const slow = sent
			.then(async () => await this.clock.sleep(MAX_ANSWER_MS, ends))
			.then(over, over);
		const isAnswered = await Promise.race([answer, late, slow]);
		done.abort(WOKEN);
		return isAnswered;
	}

	private begin(service: Service, sendOptions: SendOptions): Asked {
		let onSend = () => {};
		const sent = new Promise<void>((resolve) => (onSend = resolve));
		const answer = this.read(service, { ...sendOptions, onSend }).finally(() => {
			this.asked = undefined;
		});
		return { sent, answer };
	}

	/** The history was right about the end of a job, or was not. */
	recordHit(wasRight: boolean): void {
		this.misses = wasRight ? 0 : this.misses + 1;
		if (this.misses >= MISSES) this.giveUp();
	}

	private giveUp(): void {
		this.misses = 0;
		this.faults = 0;
		this.unlisted = 0;
		this.limits.others.giveUp();
		this.setOthers(new Map());
	}

	private async read(service: Service, sendOptions: SendOptions): Promise<boolean> {
		const { others } = this.limits;
		const { method, path, paging } = JOB_HISTORY;
		const limit = Math.min(Math.max(LEAST_ENTRIES, 2 * this.subscriptions.size), MOST_ENTRIES);
		// Jobs that begin while it answers may be too young to be listed.
		const due = this.due();
		let sentAt = this.clock.elapsed();
		const onSend = () => {
			sentAt = this.clock.elapsed();
			sendOptions.onSend?.();
		};
		try {
			const query = paging && { [paging.limit]: limit };
			const body = await service.send(
				{ method, path: String(path), query },
				{ ...sendOptions, onSend },
			);
			this.faults = 0;
			others.lookedAt = sentAt;
			if (!this.tell(body, due, limit)) this.recordHit(false);
			return true;
		} catch (error) {
			const outcome = error instanceof ServiceError ? error.outcome : 'unknown';
			// Limits, and whoever asked being stopped, say nothing about the history.
			if (isTooMany(error) || outcome === 'notSent') return false;
			this.faults += 1;
			if (outcome === 'refused' || this.faults >= FAULTS) this.giveUp();
			return false;
		} finally {
			others.lookedAt = Math.max(others.lookedAt, sentAt);
			this.planned = undefined;
		}
	}

	/** The jobs that one request can tell of, and that may have ended. */
	private due(): Subscription[] {
		return [...this.subscriptions.values()].filter(({ isDue, isListed }) => isDue && isListed);
	}

	/** Whether anything was told to anybody. */
	private tell(body: unknown, due: readonly Subscription[], asked: number): boolean {
		const news = newsIn(body, [...this.subscriptions.keys()], asked);
		this.see(news);
		const told = [...this.subscriptions].filter(([id, subscription]) =>
			subscription.notify(news.get(id), this.limits.others.lookedAt),
		);
		if (told.length === 0) return this.subscriptions.size === 0;
		const missing = due.filter((subscription) => told.every(([, other]) => other !== subscription));
		for (const subscription of missing) subscription.isListed = false;
		this.unlisted = told.some(([id]) => isFinal(news.get(id)?.state ?? '')) ? 0 : this.unlisted;
		this.unlisted += missing.length;
		if (this.unlisted >= MOST_UNLISTED) this.giveUp();
		return true;
	}

	/** Sees which jobs are of others, and which of them take places. */
	private see(news: ReadonlyMap<string, News>): void {
		const { limiter } = this.limits;
		const now = this.clock.now();
		const others = new Map<string, number>();
		let isAnyOwn = false;
		for (const [id, entry] of news) {
			const { state, record } = entry;
			this.trust.compare(id, entry);
			const isOwn = this.claims.has(id);
			isAnyOwn ||= isOwn;
			if (isOwn || !isUnfinished(state) || this.ghosts.has(id)) continue;
			const createdAt = Date.parse(textIn(record, [CREATED_AT_FIELD]) ?? '');
			// Clocks may differ; without a time, it is as young as can be.
			if (now - createdAt > FORGOTTEN_MS) continue;
			others.set(id, this.limits.others.jobs.get(id) ?? elapsedAt(this.clock, createdAt || now));
		}
		// A job that is just being created is shown before its creation is answered.
		const creating = Math.min(limiter.creating, others.size);
		for (const id of [...others.keys()].slice(0, creating)) others.delete(id);
		const own = [...this.subscriptions.keys()].filter((id) =>
			isUnfinished(news.get(id)?.state ?? ''),
		);
		// Under these identifiers, it does not know of jobs that there are: these may be among the others.
		if (!isAnyOwn && limiter.active > limiter.creating) others.clear();
		this.dropGhosts(others, own.length);
		const ended = [...this.subscriptions.keys()].filter((id) => isFinal(news.get(id)?.state ?? ''));
		this.setOthers(others, ended.length);
	}

	/** There cannot be more than the service allows: those that have run for longest do not. */
	private dropGhosts(others: Map<string, number>, own: number): void {
		const oldest = [...others].sort(([, one], [, other]) => one - other);
		for (const [id] of oldest.slice(0, Math.max(0, own + others.size - CONCURRENT_GENERATIONS))) {
			this.ghosts.add(id);
			others.delete(id);
		}
	}

	private setOthers(others: ReadonlyMap<string, number>, ended = 0): void {
		this.planned = undefined;
		this.limits.others.jobs = others;
		this.limits.limiter.seeOthers(new Set(others.keys()), ended);
	}
}

/**
 * What a history tells of jobs, by identifier.
 *
 * @param wanted jobs that are looked for where there are more entries than were asked for
 */
function newsIn(body: unknown, wanted: readonly string[], asked: number): Map<string, News> {
	const news = new Map<string, News>();
	let read = 0;
	for (const { id, state, record } of historyEntries(body, MOST_READ) ?? []) {
		if (record && id !== undefined && state !== undefined) news.set(id, { state, record });
		if (++read >= asked && wanted.every((one) => news.has(one))) break;
	}
	return news;
}

/** A job that waits for news from the history. */
export class Subscription {
	/** The job may have ended: it is time to poll it. */
	isDue = false;

	/** As far as is known, the history lists it. */
	isListed = true;

	/** What was heard and not taken yet. */
	private news?: News;

	private wake?: () => void;

	constructor(
		readonly watched: WatchedJob | undefined,
		readonly end: () => void,
	) {}

	/**
	 * @param news of the job in the history, where it is listed
	 * @param at when the history was asked, elapsed ms
	 * @returns whether that told anything
	 */
	notify(news: News | undefined, at: number): boolean {
		if (news === undefined) return false;
		this.news = news;
		if (this.watched) {
			this.watched.knownAt = Math.max(this.watched.knownAt, at);
			if (isUnfinished(news.state)) this.watched.goesOn?.(Math.max(1, at - this.watched.startedAt));
		}
		this.wake?.();
		return true;
	}

	get hasNews(): boolean {
		return this.news !== undefined;
	}

	/** What was heard of since the last time. */
	take(): News | undefined {
		const { news } = this;
		this.news = undefined;
		return news;
	}

	/** Calls back when something is heard. */
	onNews(wake: (() => void) | undefined): void {
		this.wake = wake;
	}
}
