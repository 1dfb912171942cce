import { elapsedAt, type Clock } from '../clock/clock';
import type { AccountLoop } from '../limits/accountLoop';
import type { FollowedJob, News } from '../limits/line';
import { pageRequest } from '../request/buildRequest';
import { attempt, type Attempt } from '../service/attempt';
import type { Service } from '../service/service';
import { isTooMany, ServiceError } from '../service/serviceError';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import { CREATED_AT_FIELD, isFinal, isUnfinished } from '../spec/answers';
import { JOB_HISTORY } from '../spec/jobs';
import { type Claims, keepLatest } from './claims';
import { historyEntries } from './historyEntries';
import type { HistoryTrust } from './historyTrust';
import { textIn } from './readRecord';

/** How many entries of the history are asked for at least, and at most. */
const LEAST_ENTRIES = 20;
const MOST_ENTRIES = 50;

/** How many entries are read of a history that has more than were asked for, and how many are known not to run. */
const MOST_READ = 4 * MOST_ENTRIES;

/** After this many wrong ends or faults in a row, the history is not asked for a while. */
const MISSES = 2;
const FAULTS = 3;

/** Nor is it once it has failed to list this many jobs without telling of an end in between. */
const MOST_UNLISTED = 4;

/** A job of others that has not ended this long after its creation takes no place any more, ms. */
const FORGOTTEN_MS = 900_000;

/** A run that looks at the history. */
interface Looker {
	service: Service;
	ends: AbortSignal;
}

/**
 * Asks the generation history about all running jobs of an account with one request. What it shows is not documented,
 * so it is only a hint: a job that it calls ended is read from its own status, every job is read separately from time
 * to time, and a history that is of no use is not asked for a while. It counts for more only where it has agreed with
 * the jobs' own statuses (`HistoryTrust`).
 */
export class HistoryReader {
	private readonly looking = new WeakSet<Looker>();

	/** What the history still shows to run, and does not. */
	private readonly notRunning = new Map<string, true>();

	/** Wrong ends and faults, each counted in a row. */
	private misses = 0;
	private faults = 0;

	/** How many jobs it has failed to list since it last told of an end. */
	private unlisted = 0;

	constructor(
		private readonly clock: Clock,
		private readonly loop: AccountLoop,
		private readonly trust: HistoryTrust,
		private readonly claims: Claims,
	) {}

	/** From now on until it is over, the run asks the history whenever a look is due. */
	lookOut(run: Looker): void {
		if (this.looking.has(run)) return;
		this.looking.add(run);
		void this.keepLooking(run);
	}

	private async keepLooking(run: Looker): Promise<void> {
		const { loop } = this;
		const { service, ends } = run;
		let turn = attempt(loop.look(run, ends));
		for (;;) {
			const granted = await turn;
			if ('error' in granted) return void this.looking.delete(run);
			const limit = Math.min(Math.max(LEAST_ENTRIES, 2 * loop.jobs.size), MOST_ENTRIES);
			// Jobs that begin while the request is under way may be too young to be listed.
			const due = loop.due;
			const request = pageRequest(JOB_HISTORY, limit);
			const answer = await attempt(service.send(request, { granted: granted.value }));
			// In line again before `hear` serves others: they must never find that no run is looking.
			turn = attempt(loop.look(run, ends));
			this.hear(answer, due, limit);
		}
	}

	/**
	 * Ends a look, and passes on what it has shown to the jobs that wait.
	 *
	 * @param due jobs that the history should list
	 * @param asked how many entries were asked for
	 */
	private hear(answer: Attempt<unknown>, due: readonly FollowedJob[], asked: number): void {
		this.loop.history.answered();
		if ('error' in answer) this.hearOfFault(answer.error);
		else {
			// Nobody would catch an error: whatever goes wrong in reading an answer is a fault of the history.
			try {
				const isOfUse = this.tell(answer.value, due, asked);
				this.faults = 0;
				if (!isOfUse) this.recordHit(false);
			} catch (error) {
				this.hearOfFault(error);
			}
		}
		this.loop.places.doWithoutFirstLook();
		this.loop.serve();
	}

	/** Counts a fault. Limits, or a stop of the run that asked, say nothing about the history. */
	private hearOfFault(error: unknown): void {
		const outcome = error instanceof ServiceError ? error.outcome : 'unknown';
		if (isTooMany(error) || outcome === 'notSent') return;
		this.faults += 1;
		if (outcome === 'refused' || this.faults >= FAULTS) this.giveUp();
	}

	/** Records whether the history was right about the end of a job. */
	recordHit(wasRight: boolean): void {
		this.misses = wasRight ? 0 : this.misses + 1;
		if (this.misses >= MISSES) this.giveUp();
	}

	private giveUp(): void {
		this.misses = 0;
		this.faults = 0;
		this.unlisted = 0;
		this.loop.history.giveUp();
		this.setOthers(new Map());
	}

	private get watched(): FollowedJob[] {
		return [...this.loop.jobs].filter(({ isInHistory }) => isInHistory);
	}

	/** Gives the jobs their news. Returns whether the history was of use: it lists a watched job, or there is none. */
	private tell(body: unknown, due: readonly FollowedJob[], asked: number): boolean {
		const { watched } = this;
		const news = newsIn(
			body,
			watched.map(({ id }) => id),
			asked,
		);
		this.see(news, watched);
		const told = watched.filter(({ id }) => news.has(id));
		for (const job of told) this.tellOf(job, news.get(job.id)!);
		if (told.length === 0) return watched.length === 0;
		const missing = due.filter((job) => !news.has(job.id));
		for (const job of missing) job.isListed = false;
		this.unlisted = told.some(({ id }) => isFinal(news.get(id)!.state)) ? 0 : this.unlisted;
		this.unlisted += missing.length;
		if (this.unlisted >= MOST_UNLISTED) this.giveUp();
		return true;
	}

	private tellOf(job: FollowedJob, news: News): void {
		const at = this.loop.history.lookedAt;
		job.news = news;
		job.knownAt = Math.max(job.knownAt, at);
		const { kind, startedAt } = job;
		if (kind === undefined || !isUnfinished(news.state)) return;
		this.loop.durations.noteGoingOn(kind, Math.max(1, at - startedAt));
	}

	/** Finds out which jobs belong to others, and which of those take places. */
	private see(news: ReadonlyMap<string, News>, watched: readonly FollowedJob[]): void {
		const { history, places } = this.loop;
		const now = this.clock.now();
		const others = new Map<string, number>();
		let isAnyOwn = false;
		for (const [id, entry] of news) {
			const { state, record } = entry;
			this.trust.compare(id, entry);
			const isOwn = this.claims.has(id);
			isAnyOwn ||= isOwn;
			if (isOwn || !isUnfinished(state) || this.notRunning.has(id)) continue;
			const createdAt = Date.parse(textIn(record, [CREATED_AT_FIELD]) ?? '');
			// A job without a time counts as created just now, and so does one from the future: clocks may differ.
			if (now - createdAt > FORGOTTEN_MS) continue;
			others.set(id, history.others.get(id) ?? elapsedAt(this.clock, createdAt || now));
		}
		// A job of ours may be listed before its creation is answered, and would look like one of others.
		const creating = Math.min(places.creating, others.size);
		for (const id of [...others.keys()].slice(0, creating)) others.delete(id);
		const own = watched.filter(({ id }) => isUnfinished(news.get(id)?.state ?? ''));
		// The history shows none of our jobs under the identifiers we know, so these may be ours.
		if (!isAnyOwn && places.active > places.creating) others.clear();
		this.dropTooMany(others, own.length);
		const ended = watched.filter(({ id }) => isFinal(news.get(id)?.state ?? ''));
		this.setOthers(others, ended.length);
	}

	/** No more jobs can run than the service allows: the oldest beyond that are not running. */
	private dropTooMany(others: Map<string, number>, own: number): void {
		const oldest = [...others].sort(([, one], [, other]) => one - other);
		for (const [id] of oldest.slice(0, Math.max(0, own + others.size - CONCURRENT_GENERATIONS))) {
			keepLatest(this.notRunning, id, true, MOST_READ);
			others.delete(id);
		}
	}

	private setOthers(others: ReadonlyMap<string, number>, ended = 0): void {
		this.loop.history.others = others;
		this.loop.places.seeOthers(new Set(others.keys()), ended);
	}
}

/**
 * What a history tells about jobs, by identifier.
 *
 * @param wanted identifiers to look for even beyond the number of entries that were asked for
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
