import type { Clock } from '../clock/clock';
import { attempt, type Attempt } from '../service/attempt';
import { isRefusal } from '../service/serviceError';
import { isUnfinished } from '../spec/answers';
import { Candidates, decide, type Deciding, isDue, StatusReads } from './decide';
import type { EndedJob } from './endedJob';
import { KnownJobs, type PendingJob, type TriggerMemory } from './memory';
import {
	hasEnded,
	onlyTypeOf,
	readStream,
	type ListedJob,
	type Listing,
	type Stream,
} from './listedJobs';
import type { TriggerService } from './triggerService';

/** Jobs whose status one poll reads because no list shows them any more. */
const MOST_UNLISTED_READS = 10;

/** After so many polls, a job that its own route does not know either is given up. */
const GIVEN_UP_AFTER = 64;

interface Watching extends Pick<Deciding, 'sources' | 'tell' | 'wishes'> {
	streams: readonly Stream[];
	service: TriggerService;
	clock: Clock;
	memory: TriggerMemory;
	/** What is there counts as seen. */
	isBeginning: boolean;
	/** The lists are read to their end if there are requests for it: something may have come late, and deep down. */
	isThorough: boolean;
	/** Hears whether the lists show jobs that go on. */
	onJobs: (goOn: boolean) => void;
}

interface Watched {
	/** Those that start the workflow, the oldest first. */
	jobs: EndedJob[];
	/** What is remembered once they are handed on. */
	memory: TriggerMemory;
	/** Of lists that could not be read. */
	errors: unknown[];
	/** A list goes on below what was read, which is for the next poll. */
	hasMore: boolean;
}

/**
 * Looks once for jobs that have ended since the last time. Nothing is remembered of a list that could
 * not be read to known ground; what the others show counts all the same.
 */
export async function watch(watching: Watching): Promise<Watched> {
	const { clock, memory, streams } = watching;
	const look = new Look(watching);
	const { known, statusReads } = look;
	const readings = new Map<Stream, Attempt<Listing>>();
	for (const stream of inTurn(streams, clock.now())) {
		readings.set(stream, await attempt(look.read(stream)));
	}
	// Of a job that two lists show, the first tells more.
	const errors = streams.flatMap((stream) => {
		const read = readings.get(stream);
		if (read && 'error' in read) return [read.error];
		if (read) look.take(stream, read.value);
		return [];
	});
	watching.onJobs(look.showsUnfinished);
	await look.readUnlisted();
	const deciding = { ...watching, known, statusReads };
	const { jobs, isBehind } = await decide(look.candidates.oldestFirst(), deciding);
	const { service: address } = memory;
	const kept = { streams: look.streams, ...known.toMemory(), isBehind, service: address };
	return { jobs, memory: kept, errors, hasMore: look.hasMore };
}

class Look {
	readonly candidates = new Candidates();
	/** What is remembered of each list. */
	readonly streams: TriggerMemory['streams'];
	showsUnfinished = false;
	/** Whether a list goes on below what was read. */
	hasMore = false;
	/** What the lists have shown, by each identifier. */
	private readonly shown = new Map<string, ListedJob>();

	readonly known: KnownJobs;
	readonly statusReads: StatusReads;

	constructor(private readonly watching: Watching) {
		const { service, clock, memory } = watching;
		this.known = new KnownJobs(memory);
		const isAnother = (id: string, { source }: ListedJob) => {
			const other = this.shown.get(id);
			return other?.id === id && other.source === source;
		};
		this.statusReads = new StatusReads(service, clock, isAnother);
		// What is remembered of lists that are not watched any more is of no use.
		const { streams } = memory;
		this.streams = Object.fromEntries(
			watching.streams.flatMap(({ key }) => (streams[key] ? [[key, streams[key]]] : [])),
		);
	}

	async read(stream: Stream): Promise<Listing> {
		const { service, memory, isThorough } = this.watching;
		const { known } = this;
		const before = this.before(stream);
		const isKnown = (job: ListedJob) =>
			!memory.isBehind &&
			(known.isSeen(job) || known.pendingOf(job) !== undefined || isOlder(job, before?.horizon));
		return await readStream(stream, {
			service,
			...(before && { ground: { isKnown, newest: before.newest } }),
			isThorough: isThorough || !before,
		});
	}

	/** What is remembered of a list; nothing, where what it shows counts as seen. */
	private before({ key }: Stream) {
		return this.watching.isBeginning ? undefined : this.streams[key];
	}

	/** Sorts what a list shows into what is seen, what is waited for, and what may be news. */
	take(stream: Stream, listing: Listing): void {
		const { known } = this;
		const { jobs, lacks, isNewestFirst, isCut, hasMore } = listing;
		const before = this.before(stream);
		// The latest is to be forgotten last.
		for (const job of [...jobs].reverse()) {
			this.show(job);
			if (!hasEnded(job)) {
				known.waitFor(job);
				this.showsUnfinished ||= isUnfinished(job.state);
			} else if (known.isSeen(job)) known.markSeen(job);
			else if (known.pendingOf(job) && !this.watching.isBeginning) this.candidates.add(job);
			else if (before && isNews(job, before)) this.candidates.add(job);
			else known.markSeen(job);
		}
		this.hasMore ||= hasMore;
		this.streams[stream.key] = groundBelow(listing, before);
		this.tellOf(stream, lacks, isCut && !isNewestFirst);
	}

	private show(job: ListedJob): void {
		const ids = [job.id, ...job.otherIds];
		const other = ids.map((id) => this.shown.get(id)).find(Boolean);
		if (other && other.source !== job.source) job.elsewhere = other.record;
		for (const id of ids) this.shown.set(id, job);
	}

	private tellOf({ source }: Stream, lacks: Listing['lacks'], isTooLong: boolean): void {
		const { tell } = this.watching;
		const name = `${source.route.label} history`;
		for (const lack of lacks) tell(`An entry of the ${name} has no ${lack}: it is left alone`);
		if (isTooLong) tell(`The ${name} could not be read to its end, and is not in order`);
	}

	/** Reads the status of jobs that are waited for and that no list shows any more, in turn. */
	async readUnlisted(): Promise<void> {
		const { sources, isBeginning } = this.watching;
		const unlisted = this.known.pendingJobs().filter(({ id }) => !this.shown.has(id));
		let left = MOST_UNLISTED_READS;
		for (const { id, startedWith, missed } of unlisted.sort(byMissed)) {
			const source = sources.find(({ route }) => route.value === startedWith);
			const isRead = isBeginning || isDue(missed);
			if (!source || (isRead && left === 0)) continue;
			const type = onlyTypeOf(source);
			const job: ListedJob = { id, otherIds: [], state: '', type, record: {}, source };
			this.known.waitFor(job, { missed: missed + 1 });
			if (!isRead) continue;
			left--;
			const read = await this.statusReads.read(job);
			if ('value' in read && hasEnded(read.value.job)) this.takeEnd(read.value);
			const isGone = 'error' in read && isRefusal(read.error) && missed >= GIVEN_UP_AFTER;
			if (isGone) this.known.forget(job);
		}
	}

	private takeEnd({ job, snapshot }: EndedJob): void {
		if (this.watching.isBeginning) this.known.markSeen(job);
		else this.candidates.add({ ...job, record: snapshot.record });
	}
}

/** Where an account has few requests, each list comes first at times. */
function inTurn(streams: readonly Stream[], now: number): Stream[] {
	const first = Math.floor(now / POLL_MS) % Math.max(1, streams.length);
	return [...streams.slice(first), ...streams.slice(0, first)];
}

/** Shortest time between two polls in n8n, ms. */
const POLL_MS = 60_000;

const byMissed = (one: PendingJob, other: PendingJob) => one.missed - other.missed;

/** Whether a job that has ended, and is unknown, was not there before. */
function isNews(job: ListedJob, { horizon, begunAt }: Ground): boolean {
	if (begunAt === undefined) return !isOlder(job, horizon);
	// Of what was made at the horizon, too, the first reading may have left out some.
	const wasThere = Number(job.createdAt) <= Number(horizon);
	return !wasThere || Number(job.endedAt) > begunAt;
}

const isOlder = ({ createdAt }: ListedJob, horizon = -Infinity) =>
	createdAt !== undefined && createdAt < horizon;

type Ground = TriggerMemory['streams'][string];

/** What a list is remembered by, given what it was before. */
function groundBelow({ jobs, isNewestFirst, isCut, hasMore }: Listing, before?: Ground): Ground {
	const times = jobs.flatMap(({ createdAt }) => createdAt ?? []);
	const newest = latest([before?.newest, ...times]);
	const isOpen = isNewestFirst && (isCut || (hasMore && !before));
	const horizon = isOpen ? latest([before?.horizon, ...times.slice(-1)]) : before?.horizon;
	if (horizon === before?.horizon) return { ...before, newest };
	const ends = jobs.flatMap(({ endedAt }) => endedAt ?? []);
	return { newest, horizon, ...(before ? {} : { begunAt: latest([newest, ...ends]) }) };
}

function latest(times: ReadonlyArray<number | undefined>): number | undefined {
	const known = times.filter((time) => time !== undefined);
	return known.length > 0 ? known.reduce((one, other) => Math.max(one, other)) : undefined;
}
