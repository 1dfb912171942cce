import type { Clock } from '../clock/clock';
import { resultUrls } from '../output/resultUrls';
import { attempt } from '../service/attempt';
import { cleanText } from '../service/cleanText';
import type { Service } from '../service/service';
import { isTooMany, ServiceError } from '../service/serviceError';
import type { JobSource } from '../spec/types';
import { asItsStatusTells, asListed, isOver, isResultUntold, type EndedJob } from './endedJob';
import { KnownJobs } from './knownJobs';
import { hasEnded, type ListedJob } from './listedJob';
import type { PendingJob, TriggerMemory } from './memory';
import { readStream, type Listing } from './readStream';
import { onlyTypeOf, type Stream } from './stream';
import { isWished, type Wishes } from './wishes';

/** Jobs that one poll hands on; those that ended later are left to the next. */
const MOST_JOBS = 100;

/** Jobs whose own status one poll reads. */
const MOST_STATUS_READS = 20;

/** A job whose status cannot be read so many times is handed on as its list shows it. */
const MOST_TRIES = 5;

/** Of these, jobs that no list shows any more have so many. */
const MOST_UNLISTED_READS = 10;

/** So many polls read a job that no list shows any more; then every second, every fourth … up to this. */
const PATIENT_POLLS = 10;
const RAREST = 32;

export interface Watching {
	streams: readonly Stream[];
	sources: readonly JobSource[];
	wishes: Wishes;
	/** Sends what is read at the lowest priority, and shares answers with other triggers. */
	service: Service;
	clock: Clock;
	memory: TriggerMemory;
	/** What is there counts as seen. */
	isBeginning: boolean;
	/** Says something in n8n's log. */
	tell: (text: string) => void;
}

export interface Watched {
	/** Those that start the workflow, the oldest first. */
	jobs: EndedJob[];
	/** What is remembered once they are handed on. */
	memory: TriggerMemory;
	/** Of lists that could not be read. */
	faults: unknown[];
}

/**
 * Looks once for jobs that have ended since the last time. Nothing is remembered of a list that could
 * not be read to known ground; what the others show counts all the same.
 */
export async function watch(watching: Watching): Promise<Watched> {
	const look = new Look(watching);
	const faults: unknown[] = [];
	for (const stream of watching.streams) {
		const read = await attempt(look.read(stream));
		if ('error' in read) faults.push(read.error);
		else look.take(stream, read.value);
	}
	await look.readUnlisted();
	return { jobs: await look.decide(), memory: look.memory(), faults };
}

/** One look at all lists. */
class Look {
	private readonly known: KnownJobs;
	/** Identifiers that the lists have shown. */
	private readonly shown = new Set<string>();
	/** Jobs that may be news, and each of them by all its identifiers. */
	private readonly candidates: ListedJob[] = [];
	private readonly byId = new Map<string, ListedJob>();
	/** The same jobs as other lists show them. */
	private readonly twins = new Map<ListedJob, ListedJob[]>();
	private streams: TriggerMemory['streams'];
	private statusReads = 0;
	private isBehind = false;

	constructor(private readonly watching: Watching) {
		this.known = new KnownJobs(watching.memory);
		// What is remembered of lists that are not watched any more is of no use.
		const { streams } = watching.memory;
		this.streams = Object.fromEntries(
			watching.streams.flatMap(({ key }) => (streams[key] ? [[key, streams[key]]] : [])),
		);
	}

	async read(stream: Stream): Promise<Listing> {
		const { service, memory } = this.watching;
		const { known } = this;
		const before = memory.isBehind ? undefined : this.before(stream);
		return await readStream(stream, {
			service,
			send: async (request) => await service.send(request),
			isKnown: (job) =>
				before !== undefined &&
				(known.isSeen(job) || known.isPending(job) || isOlder(job, before.horizon)),
			newestBefore: before?.newest,
		});
	}

	/** What is remembered of a list; nothing, where what it shows counts as seen. */
	private before({ key }: Stream) {
		return this.watching.isBeginning ? undefined : this.streams[key];
	}

	/** Sorts what a list shows into what is seen, what is waited for, and what may be news. */
	take(stream: Stream, { jobs, lacks, isNewestFirst, isCut }: Listing): void {
		const { known } = this;
		const before = this.before(stream);
		// The latest is to be forgotten last.
		for (const job of [...jobs].reverse()) {
			for (const id of job.ids) this.shown.add(id);
			if (!hasEnded(job)) known.waitFor(job);
			else if (known.isSeen(job) || !before) known.markSeen(job);
			else if (known.isPending(job) || !isOlder(job, before.horizon)) this.addCandidate(job);
		}
		const times = jobs.flatMap(({ createdAt }) => createdAt ?? []);
		const forgets = isNewestFirst && (isCut || known.isOverfull());
		this.streams[stream.key] = {
			newest: latest([before?.newest, ...times]),
			horizon: latest([before?.horizon, ...(forgets ? times.slice(-1) : [])]),
		};
		this.tellOf(stream, lacks, isCut && !isNewestFirst);
	}

	private tellOf({ source }: Stream, lacks: Listing['lacks'], isTooLong: boolean): void {
		const { tell } = this.watching;
		const name = `${source.route.label} history`;
		for (const lack of lacks) tell(`An entry of the ${name} has no ${lack}: it is left alone`);
		if (isTooLong) tell(`The ${name} is long and not in order: its end is not read`);
	}

	/** Two lists may have the same job; the first that shows its end tells of it, if it can. */
	private addCandidate(job: ListedJob): void {
		const other = job.ids.map((id) => this.byId.get(id)).find(Boolean);
		if (!other) this.candidates.push(job);
		else {
			other.ids = [...new Set([...other.ids, ...job.ids])];
			this.twins.set(other, [...(this.twins.get(other) ?? []), job]);
		}
		for (const id of job.ids) this.byId.set(id, other ?? job);
	}

	/** Reads the status of jobs that are waited for and that no list shows any more, in turn. */
	async readUnlisted(): Promise<void> {
		const unlisted = this.known.pendingJobs().filter(({ id }) => !this.shown.has(id));
		let left = MOST_UNLISTED_READS;
		for (const { id, startedWith, missed } of unlisted.sort(byMissed)) {
			const source = this.watching.sources.find(({ route }) => route.value === startedWith);
			const isRead = isDue(missed);
			if (!source || (isRead && left === 0)) continue;
			const type = onlyTypeOf(source);
			const job: ListedJob = { id, ids: [id], state: '', type, record: {}, source };
			this.known.waitFor(job, missed + 1);
			if (!isRead) continue;
			left--;
			const read = await this.readStatus(job);
			if ('value' in read && isOver(read.value)) this.takeEnd(read.value);
		}
	}

	private takeEnd({ job, snapshot }: EndedJob): void {
		if (this.watching.isBeginning) this.known.markSeen(job);
		else this.addCandidate({ ...job, record: snapshot.record });
	}

	private async readStatus(job: ListedJob) {
		const { service, clock } = this.watching;
		this.statusReads++;
		return await attempt(asItsStatusTells(job, service, clock));
	}

	/** The candidates that start the workflow, as far as this poll gets. */
	async decide(): Promise<EndedJob[]> {
		const chosen: EndedJob[] = [];
		for (const job of oldestFirst(this.candidates)) {
			const decided = chosen.length < MOST_JOBS ? await this.decideOn(job) : 'later';
			this.isBehind = decided === 'later';
			if (this.isBehind) break;
			if (decided === 'notYet') this.known.waitFor(job);
			else this.known.markSeen(job);
			if (typeof decided === 'object') chosen.push(decided);
		}
		return chosen;
	}

	private async decideOn(job: ListedJob): Promise<EndedJob | 'unwanted' | 'notYet' | 'later'> {
		const { wishes, service } = this.watching;
		const listed = asListed(job, service);
		const wished = isWished(wishes, listed.job);
		if (wished === false) return 'unwanted';
		const isUntold = isResultUntold(listed, wishes.options.resultField);
		if (wished && !isUntold) return this.unlessTwin(listed);
		if (this.statusReads >= MOST_STATUS_READS) return 'later';
		let read = await this.readStatus(job);
		// Where one list's route does not know the job, that of the other may.
		for (const twin of this.twins.get(job) ?? []) {
			if ('error' in read && isRefusal(read.error)) read = await this.readStatus(twin);
		}
		if ('error' in read) return this.afterFault(read.error, listed);
		if (!isOver(read.value)) return 'notYet';
		return isWished(wishes, read.value.job) === false ? 'unwanted' : this.unlessTwin(read.value);
	}

	/** Two lists may have the same job under identifiers of their own; its result has one URL. */
	private unlessTwin(ended: EndedJob): EndedJob | 'unwanted' {
		const [url] = resultUrls(ended.snapshot, ended.origin, '').main;
		if (url === undefined) return ended;
		const { source: own } = ended.job;
		const markOf = ({ route }: JobSource) => `${route.value} ${url}`;
		const others = this.watching.sources.filter((source) => source !== own);
		if (others.some((source) => this.known.hasMark(markOf(source)))) return 'unwanted';
		this.known.mark(markOf(own));
		return ended;
	}

	/** A fault that may pass is waited out for some polls. */
	private afterFault(error: unknown, listed: EndedJob): EndedJob | 'notYet' {
		if (!isRefusal(error) && this.known.countTry(listed.job) < MOST_TRIES) return 'notYet';
		this.watching.tell(
			`The status of job ${cleanText(listed.job.id)} cannot be read: its item is what the list tells`,
		);
		return listed;
	}

	memory(): TriggerMemory {
		return { streams: this.streams, ...this.known.toMemory(), isBehind: this.isBehind };
	}
}

/** The service will say no another time, too; that there are too many requests passes. */
const isRefusal = (error: unknown) =>
	error instanceof ServiceError && error.outcome === 'refused' && !isTooMany(error);

const byMissed = (one: PendingJob, other: PendingJob) => one.missed - other.missed;

/** @param missed polls so far in which no list has shown the job */
function isDue(missed: number): boolean {
	const every = Math.min(2 ** Math.floor(missed / PATIENT_POLLS), RAREST);
	return missed % every === 0;
}

const isOlder = ({ createdAt }: ListedJob, horizon = -Infinity) =>
	createdAt !== undefined && createdAt < horizon;

function latest(times: ReadonlyArray<number | undefined>): number | undefined {
	const known = times.filter((time) => time !== undefined);
	return known.length > 0 ? known.reduce((one, other) => Math.max(one, other)) : undefined;
}

/** By when they ended; those that do not tell come first. */
function oldestFirst(jobs: readonly ListedJob[]): ListedJob[] {
	const timeOf = ({ endedAt, createdAt = 0 }: ListedJob) => endedAt ?? createdAt;
	return [...jobs].sort((one, other) => timeOf(one) - timeOf(other));
}
