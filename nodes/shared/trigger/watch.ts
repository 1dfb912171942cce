import type { Clock } from '../clock/clock';
import { attempt } from '../service/attempt';
import type { Service } from '../service/service';
import { resultUrls } from '../output/resultUrls';
import { ServiceError } from '../service/serviceError';
import type { JobSource } from '../spec/types';
import {
	asItsStatusTells,
	asListed,
	isOver,
	isResultUntold,
	statusPathOf,
	type EndedJob,
} from './endedJob';
import { hasEnded, type ListedJob } from './listedJob';
import { hashOf, isTooMany, type PendingJob, type TriggerMemory } from './memory';
import { readStream, type Listing } from './readStream';
import type { Stream } from './stream';
import { isWished, type Wishes } from './wishes';

/** Jobs that one poll hands on; those that ended later are left to the next. */
const MOST_JOBS = 100;

/** Jobs whose own status one poll reads. */
const MOST_STATUS_READS = 20;

/** A job whose status cannot be read so many times is handed on as its list shows it. */
const MOST_TRIES = 5;

/** A job that no list shows any more is read at every poll, then at every second, fourth … up to this. */
const PATIENT_READS = 10;
const RAREST = 32;

/** Shortest time between two polls in n8n, ms. */
const POLL_MS = 60_000;

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
	private readonly seen: Set<string>;
	/** What the lists have shown again, or for the first time, as ended: the latest to be forgotten. */
	private readonly fresh = new Set<string>();
	private readonly pending: Map<string, PendingJob>;
	private readonly streams: TriggerMemory['streams'];
	private readonly tries: TriggerMemory['tries'];
	/** Shown as not ended by a list that was read. */
	private readonly listed = new Set<string>();
	private readonly candidates = new Map<string, ListedJob>();
	private statusReads = 0;
	private isBehind = false;

	constructor(private readonly watching: Watching) {
		const { memory } = watching;
		this.seen = new Set(memory.seen);
		this.pending = new Map(memory.pending.map((job) => [job.id, job]));
		this.streams = { ...memory.streams };
		this.tries = { ...memory.tries };
	}

	async read(stream: Stream): Promise<Listing> {
		const { service, isBeginning, memory } = this.watching;
		const known = isBeginning || memory.isBehind ? undefined : this.streams[stream.key];
		return await readStream(stream, {
			service,
			send: async (request) => await service.send(request),
			isKnown: (job) => known !== undefined && this.isKnown(job, known.horizon),
			newestBefore: known?.newest,
		});
	}

	/** Sorts what a list shows into what is seen, what is waited for, and what may be news. */
	take(stream: Stream, { jobs, lacks, isNewestFirst, isCut }: Listing): void {
		const { isBeginning, tell } = this.watching;
		const known = isBeginning ? undefined : this.streams[stream.key];
		// The latest is to be forgotten last.
		for (const job of [...jobs].reverse()) {
			if (!hasEnded(job)) this.waitFor(job);
			else if (this.isSeen(job) || !known) this.markSeen(job);
			else if (this.isPending(job) || !isBefore(job, known.horizon)) this.addCandidate(job);
		}
		const times = jobs.flatMap(({ createdAt }) => createdAt ?? []);
		const forgets = isNewestFirst && (isCut || isTooMany(this.seen.size));
		this.streams[stream.key] = {
			newest: latest([known?.newest, ...times]),
			horizon: latest([known?.horizon, ...(forgets ? times.slice(-1) : [])]),
		};
		const { label } = stream.source.list;
		for (const lack of lacks) tell(`An entry of the list "${label}" has no ${lack}: left alone`);
		if (isCut && !isNewestFirst) {
			tell(`The list "${label}" is long and does not have the newest first: its end is not read`);
		}
	}

	private isKnown(job: ListedJob, horizon?: number): boolean {
		return this.isSeen(job) || this.isPending(job) || isBefore(job, horizon);
	}

	private isSeen = ({ ids }: ListedJob) => ids.some((id) => this.seen.has(hashOf(id)));
	private isPending = ({ ids }: ListedJob) => ids.some((id) => this.pending.has(id));

	private markSeen({ ids }: ListedJob): void {
		for (const id of ids) {
			const hash = hashOf(id);
			this.seen.add(hash);
			this.fresh.add(hash);
			this.pending.delete(id);
			delete this.tries[hash];
		}
	}

	/** @param reads how many times its own status was read since a list has shown it */
	private waitFor(job: ListedJob, reads = 0): void {
		// A job that has ended once does not begin again.
		if (this.isSeen(job)) return;
		for (const id of job.ids) this.listed.add(id);
		const { id, source } = job;
		this.pending.set(id, { id, startedWith: source.route.value, reads });
	}

	/** A list that lags shows a job as going on that another shows as ended. */
	private addCandidate(job: ListedJob): void {
		const key = job.ids.find((id) => this.candidates.has(id)) ?? job.id;
		const other = this.candidates.get(key);
		const ids = [...new Set([...(other?.ids ?? []), ...job.ids])];
		this.candidates.set(key, { ...(other ?? job), ids });
	}

	/** Reads the status of jobs that are waited for and that no list shows any more. */
	async readUnlisted(): Promise<void> {
		for (const { id, startedWith, reads } of [...this.pending.values()]) {
			const source = this.watching.sources.find(({ route }) => route.value === startedWith);
			if (!source || this.isShown(id) || !this.isDue(reads)) continue;
			if (this.statusReads >= MOST_STATUS_READS) return;
			const path = statusPathOf(source.route, id);
			if (path === undefined) continue;
			const unlisted: ListedJob = { id, ids: [id], state: '', record: {}, source };
			const read = await this.readStatus(unlisted);
			this.pending.set(id, { id, startedWith, reads: reads + 1 });
			if (!('value' in read) || !isOver(read.value)) continue;
			const { job, snapshot } = read.value;
			if (this.watching.isBeginning) this.markSeen(job);
			else this.addCandidate({ ...job, record: snapshot.record });
		}
	}

	private isShown = (id: string) =>
		this.listed.has(id) || [...this.candidates.values()].some(({ ids }) => ids.includes(id));

	private isDue(reads: number): boolean {
		const every = Math.min(2 ** Math.max(0, reads - PATIENT_READS), RAREST);
		return Math.floor(this.watching.clock.now() / POLL_MS) % every === 0;
	}

	private async readStatus(job: ListedJob) {
		const { service, clock } = this.watching;
		this.statusReads++;
		return await attempt(asItsStatusTells(job, service, clock));
	}

	/** The candidates that start the workflow, as far as this poll gets. */
	async decide(): Promise<EndedJob[]> {
		const chosen: EndedJob[] = [];
		for (const job of oldestFirst([...this.candidates.values()])) {
			const decided = chosen.length < MOST_JOBS ? await this.decideOn(job) : 'later';
			if (decided === 'later') {
				this.isBehind = true;
				break;
			}
			if (decided === 'notYet') this.waitFor(job);
			else this.markSeen(job);
			if (typeof decided === 'object') chosen.push(decided);
		}
		return chosen;
	}

	private async decideOn(job: ListedJob): Promise<EndedJob | 'unwanted' | 'notYet' | 'later'> {
		const { wishes, service } = this.watching;
		const listed = asListed(job, service);
		const wished = isWished(wishes, listed.job);
		if (wished === false) return 'unwanted';
		if (wished && !isResultUntold(listed, wishes.options.resultField))
			return this.unlessTwin(listed);
		if (this.statusReads >= MOST_STATUS_READS) return 'later';
		const read = await this.readStatus(job);
		if ('error' in read) return this.afterFault(read.error, listed);
		if (!isOver(read.value)) return 'notYet';
		return isWished(wishes, read.value.job) === false ? 'unwanted' : this.unlessTwin(read.value);
	}

	/** Two lists may have the same job under identifiers of their own; its result has one URL. */
	private unlessTwin(ended: EndedJob): EndedJob | 'unwanted' {
		const [url] = resultUrls(ended.snapshot, ended.origin, '').main;
		if (url === undefined) return ended;
		const { sources } = this.watching;
		const hashIn = ({ route }: JobSource) => hashOf(`${route.value} ${url}`);
		const isTold = (source: JobSource) =>
			source !== ended.job.source && this.seen.has(hashIn(source));
		if (sources.some(isTold)) return 'unwanted';
		this.seen.add(hashIn(ended.job.source));
		this.fresh.add(hashIn(ended.job.source));
		return ended;
	}

	/** A fault that may pass is waited out for some polls. */
	private afterFault(error: unknown, listed: EndedJob): EndedJob | 'notYet' {
		const { id } = listed.job;
		const hash = hashOf(id);
		const tries = (this.tries[hash] ?? 0) + 1;
		const isFinalNo = error instanceof ServiceError && error.outcome === 'refused';
		if (!isFinalNo && tries < MOST_TRIES) {
			this.tries[hash] = tries;
			return 'notYet';
		}
		this.watching.tell(`The status of job ${id} cannot be read; its item is what the list tells`);
		return listed;
	}

	memory(): TriggerMemory {
		const { memory, streams } = this.watching;
		const older = memory.seen.filter((hash) => !this.fresh.has(hash));
		const isNews = this.seen.size > memory.seen.length;
		const pending = [...this.pending.values()];
		const waitedFor = new Set(pending.map(({ id }) => hashOf(id)));
		return {
			streams: pick(this.streams, ({ key }) => streams.some((stream) => stream.key === key)),
			// As it was, where nothing has come to it: n8n need not store it again.
			seen: isNews ? [...older, ...this.fresh] : memory.seen,
			pending,
			tries: pick(this.tries, ({ key }) => waitedFor.has(key)),
			isBehind: this.isBehind,
		};
	}
}

const isBefore = ({ createdAt }: ListedJob, horizon = -Infinity) =>
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

function pick<T>(values: Record<string, T>, isKept: (entry: { key: string }) => boolean) {
	return Object.fromEntries(Object.entries(values).filter(([key]) => isKept({ key })));
}
