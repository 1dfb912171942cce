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

/** Entries of the history that are asked for at least, and at most. */
const LEAST_ENTRIES = 20;
const MOST_ENTRIES = 50;

/** Entries that are read of a history with more than were asked for; of so many it is known that they do not run. */
const MOST_READ = 4 * MOST_ENTRIES;

/** A history that was wrong, or did not answer, so many times in a row is not asked for a while. */
const MISSES = 2;
const FAULTS = 3;

/** One that does not list so many jobs between two ends that it tells of is as useless. */
const MOST_UNLISTED = 4;

/** A job that has not ended for so long, and is not of this process, takes no place any more, ms. */
const FORGOTTEN_MS = 900_000;

/** A run that looks at the history. */
interface Looker {
	service: Service;
	signal?: AbortSignal;
	runDone: AbortSignal;
}

/**
 * What the generation history tells of all running generations of an account, with one request. What it shows is
 * not documented, so it is a hint and no more: an end that it tells of is read from the job's own status, each job is
 * read by itself from time to time, and a history that is of no use is not asked again. Only where it was seen to
 * tell the same (HistoryTrust), more is made of it.
 */
export class HistoryReader {
	private readonly looking = new WeakSet<Looker>();

	/** What the history still shows to run, and does not. */
	private readonly notRunning = new Map<string, true>();

	/** In a row. */
	private misses = 0;
	private faults = 0;

	/** Jobs that it does not list, since it has told of an end. */
	private unlisted = 0;

	constructor(
		private readonly clock: Clock,
		private readonly loop: AccountLoop,
		private readonly trust: HistoryTrust,
		private readonly claims: Claims,
	) {}

	/** From now on, the run looks whenever it is time, until it is over. */
	lookOut(run: Looker): void {
		if (this.looking.has(run)) return;
		this.looking.add(run);
		void this.keepLooking(run);
	}

	private async keepLooking(run: Looker): Promise<void> {
		const { loop } = this;
		const { service, signal, runDone } = run;
		const ends = AbortSignal.any(signal ? [signal, runDone] : [runDone]);
		let turn = attempt(loop.look(run, ends));
		for (;;) {
			const granted = await turn;
			if ('error' in granted) return void this.looking.delete(run);
			const limit = Math.min(Math.max(LEAST_ENTRIES, 2 * loop.jobs.size), MOST_ENTRIES);
			// Jobs that begin while it answers may be too young to be listed.
			const due = loop.due;
			const request = pageRequest(JOB_HISTORY, limit);
			const answer = await attempt(service.send(request, { granted: granted.value }));
			// Before it is told: nobody is to find that none looks.
			turn = attempt(loop.look(run, ends));
			this.hear(answer, due, limit);
		}
	}

	/**
	 * A look is over: tells all that wait what it has shown.
	 *
	 * @param due jobs that it should list
	 * @param asked entries
	 */
	private hear(answer: Attempt<unknown>, due: readonly FollowedJob[], asked: number): void {
		this.loop.history.answered();
		if ('error' in answer) this.hearOfFault(answer.error);
		else {
			// Nobody waits for this: whatever an answer makes go wrong is a fault of the history.
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

	/** Limits, and whoever asked being stopped, say nothing about the history. */
	private hearOfFault(error: unknown): void {
		const outcome = error instanceof ServiceError ? error.outcome : 'unknown';
		if (isTooMany(error) || outcome === 'notSent') return;
		this.faults += 1;
		if (outcome === 'refused' || this.faults >= FAULTS) this.giveUp();
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
		this.loop.history.giveUp();
		this.setOthers(new Map());
	}

	private get watched(): FollowedJob[] {
		return [...this.loop.jobs].filter(({ isInHistory }) => isInHistory);
	}

	/** Whether anything was told to anybody. */
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

	/** Sees which jobs are of others, and which of them take places. */
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
			// Clocks may differ; without a time, it is as young as can be.
			if (now - createdAt > FORGOTTEN_MS) continue;
			others.set(id, history.others.get(id) ?? elapsedAt(this.clock, createdAt || now));
		}
		// A job that is just being created is shown before its creation is answered.
		const creating = Math.min(places.creating, others.size);
		for (const id of [...others.keys()].slice(0, creating)) others.delete(id);
		const own = watched.filter(({ id }) => isUnfinished(news.get(id)?.state ?? ''));
		// Under these identifiers, it does not know of jobs that there are: these may be among the others.
		if (!isAnyOwn && places.active > places.creating) others.clear();
		this.dropTooMany(others, own.length);
		const ended = watched.filter(({ id }) => isFinal(news.get(id)?.state ?? ''));
		this.setOthers(others, ended.length);
	}

	/** There cannot be more than the service allows: those that have run for longest do not. */
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
