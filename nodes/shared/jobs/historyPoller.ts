import { listIn } from '../service/listIn';
import { objectSchema } from '../service/bodies';
import { perAccount } from '../service/perAccount';
import type { Service, SendOptions } from '../service/service';
import { isTooMany, ServiceError } from '../service/serviceError';
import { JOB_HISTORY } from '../spec/jobs';
import { REQUEST_WINDOW_MS } from '../spec/limits';
import { GENERATION_RECORD_IDS } from '../spec/records';
import { WOKEN, type Clock } from '../clock/clock';
import { identifierIn, stateIn } from './readRecord';

/** Entries of the history that are asked for. */
const LEAST_ENTRIES = 10;
const MOST_ENTRIES = 50;

/** Entries that are read of a history with more than were asked for. */
const MOST_READ = 4 * MOST_ENTRIES;

/** A history that was wrong, or did not answer, so many times in a row is not asked for a while, ms. */
const MISSES = 2;
const FAULTS = 3;
const PAUSE_MS = 600_000;

/** Longest time to wait for its answer, and for the request to be sent, ms. */
const MAX_ANSWER_MS = 3000;
const QUEUE_MS = REQUEST_WINDOW_MS;

/** A request for the history that is under way. */
interface Asked {
	/** Settles when it is sent. */
	sent: Promise<void>;
	answer: Promise<void>;
}

/**
 * Polls all running generations of an account with one request: the generation history. What it
 * shows is not documented, so it is a hint and no more: an end that it tells of is read from the
 * job's own status, each job is read by itself from time to time, and a history that is of no use
 * is not asked again.
 */
export class HistoryPoller {
	private readonly subscriptions = new Map<string, Subscription>();

	private asked?: Asked;

	/** In a row. */
	private misses = 0;
	private faults = 0;

	private uselessUntil = 0;

	constructor(private readonly clock: Clock) {}

	/** Begins to watch for a job; `end` it. */
	subscribe(id: string): Subscription {
		const subscription = new Subscription(() => {
			if (this.subscriptions.get(id) === subscription) this.subscriptions.delete(id);
		});
		this.subscriptions.set(id, subscription);
		return subscription;
	}

	/** Whether one request can take the place of several. */
	get isUseful(): boolean {
		return this.clock.now() >= this.uselessUntil && this.due().length > 1;
	}

	/** Asks the history, or waits for the answer that is under way; tells all subscriptions. */
	async ask(service: Service, signal?: AbortSignal): Promise<void> {
		this.asked ??= this.begin(service, signal);
		const { sent, answer } = this.asked;
		const done = new AbortController();
		const ends = AbortSignal.any(signal ? [done.signal, signal] : [done.signal]);
		const late = this.clock.sleep(QUEUE_MS, ends).catch(() => {});
		const slow = sent.then(async () => await this.clock.sleep(MAX_ANSWER_MS, ends)).catch(() => {});
		await Promise.race([answer, late, slow]);
		done.abort(WOKEN);
	}

	private begin(service: Service, signal?: AbortSignal): Asked {
		let onSend = () => {};
		const sent = new Promise<void>((resolve) => (onSend = resolve));
		const answer = this.read(service, { priority: 'poll', signal, onSend }).finally(() => {
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
		this.uselessUntil = this.clock.now() + PAUSE_MS;
	}

	private async read(service: Service, sendOptions: SendOptions): Promise<void> {
		const { method, path, paging } = JOB_HISTORY;
		const limit = Math.min(Math.max(LEAST_ENTRIES, 2 * this.subscriptions.size), MOST_ENTRIES);
		// Jobs that begin while it answers may be too young to be listed.
		const due = this.due();
		try {
			const query = paging && { [paging.limit]: limit };
			const body = await service.send({ method, path: String(path), query }, sendOptions);
			this.faults = 0;
			if (!this.tell(body, due)) this.recordHit(false);
		} catch (error) {
			const outcome = error instanceof ServiceError ? error.outcome : 'unknown';
			// Limits, and whoever asked being stopped, say nothing about the history.
			if (isTooMany(error) || outcome === 'notSent') return;
			this.faults += 1;
			if (outcome === 'refused' || this.faults >= FAULTS) this.giveUp();
		}
	}

	/** The jobs that one request can tell of, and that may have ended. */
	private due(): Subscription[] {
		return [...this.subscriptions.values()].filter(({ isDue, isListed }) => isDue && isListed);
	}

	/** Whether anything was told to anybody. */
	private tell(body: unknown, due: readonly Subscription[]): boolean {
		const states = statesIn(body, this.subscriptions);
		const told = [...this.subscriptions].filter(([id, subscription]) =>
			subscription.notify(states.get(id)),
		);
		if (told.length === 0) return false;
		for (const subscription of due)
			subscription.isListed &&= told.some(([, other]) => other === subscription);
		return true;
	}
}

/** Its entries may be generation records (section "Generation record"). */
const GENERATION = { documented: GENERATION_RECORD_IDS };

/** The states of the jobs that are watched for in a history, by identifier. */
function statesIn(body: unknown, subscriptions: ReadonlyMap<string, unknown>): Map<string, string> {
	const listed = listIn(body);
	const states = new Map<string, string>();
	for (const entry of 'entries' in listed ? listed.entries.slice(0, MOST_READ) : []) {
		if (states.size === subscriptions.size) break;
		const record = objectSchema.safeParse(entry);
		const id = record.success ? identifierIn(record.data, GENERATION)?.value : undefined;
		if (!record.success || id === undefined || !subscriptions.has(id)) continue;
		const state = stateIn(record.data);
		if (state !== undefined) states.set(id, state);
	}
	return states;
}

/** A job that waits for news from the history. */
export class Subscription {
	/** The job may have ended: it is time to poll it. */
	isDue = false;

	/** As far as is known, the history lists it. */
	isListed = true;

	/** What was heard and not taken yet. */
	private news?: string;

	private wake?: () => void;

	constructor(readonly end: () => void) {}

	/**
	 * @param state of the job in the history, where it is listed
	 * @returns whether that told anything
	 */
	notify(state: string | undefined): boolean {
		if (state === undefined) return false;
		this.news = state;
		this.wake?.();
		return true;
	}

	/** The state that was heard of since the last time. */
	take(): string | undefined {
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
