import { perAccount } from '../service/perAccount';
import type { Service, SendOptions } from '../service/service';
import { isTooMany, ServiceError } from '../service/serviceError';
import { JOB_HISTORY } from '../spec/jobs';
import { CONCURRENT_GENERATIONS, REQUEST_WINDOW_MS } from '../spec/limits';
import { CREATED_AT_FIELD } from '../spec/records';
import { isFinal, isUnfinished } from '../spec/states';
import { elapsedAt, randomOf, WOKEN, type Clock } from '../clock/clock';
import { EndModel } from './endModel';
import { historyEntries } from './historyEntries';
import type { News } from './job';
import { textIn } from './readRecord';

/** Entries of the history that are asked for. */
const LEAST_ENTRIES = 20;
const MOST_ENTRIES = 50;

/** Entries that are read of a history with more than were asked for. */
const MOST_READ = 4 * MOST_ENTRIES;

/** A history that was wrong, or did not answer, so many times in a row is not asked for a while, ms. */
const MISSES = 2;
const FAULTS = 3;
const PAUSE_MS = 600_000;

/** One that does not list so many jobs between two ends that it tells of is as useless. */
const MOST_UNLISTED = 4;

/** Longest time to wait for its answer, and for the request to be sent, ms. */
const MAX_ANSWER_MS = 3000;
const QUEUE_MS = REQUEST_WINDOW_MS;

/** Between two looks, ms. */
const LEAST_LOOK_GAP_MS = 250;

/** Between two polls of one job, ms. */
const LEAST_READ_GAP_MS = 500;

/** A look that finds a place free is followed by creations: so many requests have to be left for all of them. */
const REQUESTS_OF_LOOK = 3;

/** Ends bunch: a request is worth it a little sooner than if they came evenly. */
const WORTH = 0.7;

/** A read tells of one job, and its next one is far: it is worth it sooner still. */
const WORTH_OF_READ = 0.5;

/** The same for looks that others make besides, at other times. */
const SHARED_GAP = 0.8;

/** The end of the last job of all counts so many times as much as that of one of many. */
const LAST_COUNTS = 5;

/** Processes that look at the same jobs look at different times: by so much of the gap sooner or later. */
const SPREAD = 0.15;

/** A job that has not ended for so long, and is not of this process, takes no place any more, ms. */
const FORGOTTEN_MS = 900_000;

/** What a look has told holds for so long, ms, and less and less after that. */
const OUTDATED_MS = 15_000;

/** Steps in which the time of a look is found. */
const STEPS = 16;

/** A request for the history that is under way. */
interface Asked {
	/** Settles when it is sent. */
	sent: Promise<void>;
	/** Whether it was answered. */
	answer: Promise<boolean>;
}

/** A job as far as it has to be known to see when it ends. */
interface Watched {
	/** elapsed ms. */
	startedAt: number;
	/** When it was last seen to go on, elapsed ms. */
	knownAt: number;
	model: EndModel;
	/** Called when it is seen to go on, with its age, ms. */
	goesOn?: (ms: number) => void;
}

/** What the account knows besides, and what it learns. */
export interface Surroundings {
	/** How far requests that look for ends are to be apart, ms. */
	gapMs(polls: { isShared: boolean }): number;
	/** How long jobs take, on average, ms. */
	averageMs(): number;
	/** How long jobs of others take. */
	modelOfAny(): EndModel;
	/** Whether a job is of this process. */
	isOwn(id: string): boolean;
	/** Jobs of this process that were created and take a place. */
	running(): number;
	/** Creations whose answer is still to come. */
	creating(): number;
	/** Whether jobs are so short that two requests for each, and looks, are more than there are. */
	isShort(): boolean;
	/** When so many requests can be sent at once, elapsed ms. */
	freeAt(requests: number): number;
	/** Whether jobs wait for a place. */
	isWaiting(): boolean;
	/** Whether jobs wait for the first look. */
	isOpening(): boolean;
	/**
	 * Called when the history was looked at.
	 *
	 * @param ids of the jobs of others that take places
	 * @param ended jobs of this process that have just been seen to be over
	 */
	onOthers(ids: ReadonlySet<string>, ended: number): void;
	/** Called for each entry. */
	onEntry(id: string, news: News): void;
}

/**
 * Polls all running generations of an account with one request: the generation history. What it
 * shows is not documented, so it is a hint and no more: an end that it tells of is read from the
 * job's own status, each job is read by itself from time to time, and a history that is of no use
 * is not asked again. Only where it was seen to tell the same (HistoryTrust), more is made of it.
 */
export class HistoryPoller {
	/** Set by the account. */
	surroundings?: Surroundings;

	private readonly subscriptions = new Map<string, Subscription>();

	/** Jobs of others that take places. */
	private others = new Map<string, Watched>();

	/** What the history still shows to run, and does not. */
	private readonly ghosts = new Set<string>();

	private asked?: Asked;

	/** In a row. */
	private misses = 0;
	private faults = 0;

	/** Jobs that it does not list, since it has told of an end. */
	private unlisted = 0;

	private uselessUntil = 0;

	/** When it was last asked, elapsed ms. */
	private lookedAt = -Infinity;

	/** When to look again, unless something changes. */
	private planned?: number;

	constructor(private readonly clock: Clock) {}

	/** Begins to watch for a job; `end` it. */
	subscribe(id: string, watched?: Watched): Subscription {
		const subscription = new Subscription(watched, () => {
			if (this.subscriptions.get(id) !== subscription) return;
			this.subscriptions.delete(id);
			this.planned = undefined;
		});
		this.subscriptions.set(id, subscription);
		this.planned = undefined;
		return subscription;
	}

	/** It has been of use, as far as it was asked. */
	get isUsable(): boolean {
		return this.clock.elapsed() >= this.uselessUntil;
	}

	/** Whether one request can take the place of several. */
	get isUseful(): boolean {
		return this.isUsable && this.due().length > 1;
	}

	/**
	 * The part of the account's requests that is this process's: as if each job of others were of a process of
	 * its own, and one more waited. They may have stopped since the last look.
	 */
	get share(): number {
		const since = Math.max(0, this.clock.elapsed() - this.lookedAt - OUTDATED_MS);
		const others = this.hasOthers ? this.others.size + 1 : 0;
		return 1 / Math.max(1, (1 + others) / 2 ** (since / OUTDATED_MS));
	}

	/** Others take places: it is looked at for them as long as jobs wait. */
	get hasOthers(): boolean {
		return this.others.size > 0;
	}

	/** Jobs that are watched. */
	get watching(): number {
		return this.subscriptions.size;
	}

	/** Asked so recently that the places it has shown are those of now, ms. */
	hasLooked(withinMs: number): boolean {
		return this.clock.elapsed() - this.lookedAt <= withinMs;
	}

	/**
	 * When the history is to be looked at again: as soon as it is likely enough that jobs have ended to
	 * be worth a request. elapsed ms
	 */
	nextLookAt(): number {
		this.planned ??= this.plan();
		return this.planned;
	}

	private plan(): number {
		const { surroundings, lookedAt } = this;
		const from = Math.max(lookedAt + LEAST_LOOK_GAP_MS, this.clock.elapsed());
		if (!surroundings) return from;
		const gapMs = surroundings.gapMs({ isShared: true });
		if (this.others.size > 0) {
			return Math.max(from, lookedAt + SHARED_GAP * gapMs * this.spread());
		}
		const watched = [...this.subscriptions.values()].flatMap(({ isListed, watched: job }) =>
			isListed && job ? [job] : [],
		);
		const at = whenIdle(watched, from, gapMs, this.worthMs(watched.length, gapMs), this.isBusy);
		if (!this.isBusy) return at;
		return Math.max(at, surroundings.freeAt(REQUESTS_OF_LOOK));
	}

	private spread(): number {
		return 1 + SPREAD * (2 * randomOf(this.clock) - 1);
	}

	/** When a job that is read by itself is to be read again, elapsed ms. */
	nextReadAt(watched: Watched): number {
		const gapMs = this.watching * (this.surroundings?.gapMs({ isShared: false }) ?? 0);
		const least = Math.max(LEAST_READ_GAP_MS, gapMs / 2);
		const from = Math.max(watched.knownAt + least, this.clock.elapsed());
		return whenIdle(
			[watched],
			from,
			gapMs,
			WORTH_OF_READ * this.worthMs(1, gapMs),
			this.isBusy || this.watching > 1,
		);
	}

	private get isBusy(): boolean {
		return this.surroundings?.isWaiting() === true;
	}

	/** How long places may stand empty until a request is worth it, ms, for requests that are so far apart. */
	private worthMs(jobs: number, gapMs: number): number {
		return (WORTH * jobs * gapMs ** 2) / (2 * (this.surroundings?.averageMs() ?? 1));
	}

	/**
	 * Asks the history, or waits for the answer that is under way; tells all subscriptions.
	 *
	 * @returns whether it was answered
	 */
	async ask(
		service: Service,
		signal?: AbortSignal,
		priority: SendOptions['priority'] = 'poll',
	): Promise<boolean> {
		this.asked ??= this.begin(service, priority, signal);
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

	private begin(service: Service, priority: SendOptions['priority'], signal?: AbortSignal): Asked {
		let onSend = () => {};
		const sent = new Promise<void>((resolve) => (onSend = resolve));
		const answer = this.read(service, { priority, signal, onSend }).finally(() => {
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
		this.uselessUntil = this.clock.elapsed() + PAUSE_MS;
		this.setOthers(new Map());
	}

	private async read(service: Service, sendOptions: SendOptions): Promise<boolean> {
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
			this.lookedAt = sentAt;
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
			this.lookedAt = Math.max(this.lookedAt, sentAt);
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
			subscription.notify(news.get(id), this.lookedAt),
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
		const { surroundings } = this;
		if (!surroundings) return;
		const now = this.clock.now();
		const knownAt = this.clock.elapsed();
		const model = surroundings.modelOfAny();
		const others = new Map<string, Watched>();
		let isAnyOwn = false;
		for (const [id, entry] of news) {
			const { state, record } = entry;
			surroundings.onEntry(id, entry);
			const isOwn = surroundings.isOwn(id);
			isAnyOwn ||= isOwn;
			if (isOwn || !isUnfinished(state) || this.ghosts.has(id)) continue;
			const createdAt = Date.parse(textIn(record, [CREATED_AT_FIELD]) ?? '');
			// Clocks may differ; without a time, it is as young as can be.
			if (now - createdAt > FORGOTTEN_MS) continue;
			const startedAt = this.others.get(id)?.startedAt ?? elapsedAt(this.clock, createdAt || now);
			others.set(id, { startedAt, knownAt, model });
		}
		// A job that is just being created is shown before its creation is answered.
		const creating = Math.min(surroundings.creating(), others.size);
		for (const id of [...others.keys()].slice(0, creating)) others.delete(id);
		const own = [...this.subscriptions.keys()].filter((id) =>
			isUnfinished(news.get(id)?.state ?? ''),
		);
		// Under these identifiers, it does not know of jobs that there are: these may be among the others.
		if (!isAnyOwn && surroundings.running() > 0) others.clear();
		this.dropGhosts(others, own.length);
		const ended = [...this.subscriptions.keys()].filter((id) => isFinal(news.get(id)?.state ?? ''));
		this.setOthers(others, ended.length);
	}

	/** There cannot be more than the service allows: those that have run for longest do not. */
	private dropGhosts(others: Map<string, Watched>, own: number): void {
		const oldest = [...others].sort(([, one], [, other]) => one.startedAt - other.startedAt);
		for (const [id] of oldest.slice(0, Math.max(0, own + others.size - CONCURRENT_GENERATIONS))) {
			this.ghosts.add(id);
			others.delete(id);
		}
	}

	private setOthers(others: Map<string, Watched>, ended = 0): void {
		this.others = others;
		this.planned = undefined;
		this.surroundings?.onOthers(new Set(others.keys()), ended);
	}
}

/**
 * When jobs have stood idle for so long, on average, elapsed ms.
 *
 * @param from no sooner
 * @param step that it is likely to be near to
 * @param isBusy each place that stands empty counts; else only the end of the last job does
 */
function whenIdle(
	watched: readonly Watched[],
	from: number,
	step: number,
	worthMs: number,
	isBusy: boolean,
): number {
	const idleMs = (at: number) => {
		const each = watched.map(({ startedAt, knownAt, model }) =>
			model.idleMs(knownAt - startedAt, at - startedAt),
		);
		return isBusy ? sum(each) : LAST_COUNTS * Math.min(...each);
	};
	if (idleMs(from) >= worthMs) return from;
	let [low, high] = [from, from + Math.max(step, 1)];
	while (idleMs(high) < worthMs && high - from < PAUSE_MS) [low, high] = [high, 2 * high - from];
	for (let tries = 0; tries < STEPS; tries++) {
		const middle = (low + high) / 2;
		if (idleMs(middle) < worthMs) low = middle;
		else high = middle;
	}
	return high;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

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
		readonly watched: Watched | undefined,
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

/** The history poller of an account. */
export const historyPollerOf = perAccount((clock) => new HistoryPoller(clock));
