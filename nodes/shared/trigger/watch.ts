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

/** How many statuses one poll reads because no list shows their jobs any more. */
const MOST_UNLISTED_READS = 10;

/** After this many polls in which no list shows it, a job is given up if its own route does not know it, either. */
const GIVEN_UP_AFTER = 64;

interface Watching extends Pick<Deciding, 'sources' | 'tell' | 'wishes'> {
	streams: readonly Stream[];
	service: TriggerService;
	clock: Clock;
	memory: TriggerMemory;
	/** The trigger begins to watch: ended jobs that are there count as seen. */
	isBeginning: boolean;
	/** The lists are read to their end if there are requests for it: a job may have come late, and far down. */
	isThorough: boolean;
	/** Called with whether the lists show jobs that still run. */
	onJobs: (goOn: boolean) => void;
}

interface Watched {
	/** Those that start the workflow, the oldest first. */
	jobs: EndedJob[];
	/** What is remembered once they are handed on. */
	memory: TriggerMemory;
	/** Of lists that could not be read. */
	errors: unknown[];
	/** A list goes on below what was read: the next poll reads on. */
	hasMore: boolean;
}

/**
 * Looks once for jobs that have ended since the last time. Nothing new is remembered of a list that could
 * not be read to known ground; what the others show still counts.
 */
export async function watch(watching: Watching): Promise<Watched> {
	const { clock, memory, streams } = watching;
	const look = new Look(watching);
	const { known, statusReads } = look;
	const readings = new Map<Stream, Attempt<Listing>>();
	for (const stream of inTurn(streams, clock.now())) {
		readings.set(stream, await attempt(look.read(stream)));
	}
	// In the order of the lists: of a job that two of them show, the first says more.
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

	/** What is remembered of a list; `undefined` if all that it shows counts as seen. */
	private before({ key }: Stream) {
		return this.watching.isBeginning ? undefined : this.streams[key];
	}

	/** Sorts what a list shows into what is seen, what is waited for, and what may be news. */
	take(stream: Stream, listing: Listing): void {
		const { known } = this;
		const { jobs, lacks, isNewestFirst, isCut, hasMore } = listing;
		const before = this.before(stream);
		// From the end of the list, so that its first job is forgotten last.
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

/** Each list comes first at times, in case the account has too few requests for all. */
function inTurn(streams: readonly Stream[], now: number): Stream[] {
	const first = Math.floor(now / POLL_MS) % Math.max(1, streams.length);
	return [...streams.slice(first), ...streams.slice(0, first)];
}

/** Shortest time between two polls in n8n, in ms. */
const POLL_MS = 60_000;

const byMissed = (one: PendingJob, other: PendingJob) => one.missed - other.missed;

/** Whether an unknown job that has ended is news: it was not there before. */
function isNews(job: ListedJob, { horizon, begunAt }: Ground): boolean {
	if (begunAt === undefined) return !isOlder(job, horizon);
	// The first reading may also have left out some of the jobs that were created exactly at the horizon.
	const wasThere = Number(job.createdAt) <= Number(horizon);
	return !wasThere || Number(job.endedAt) > begunAt;
}

const isOlder = ({ createdAt }: ListedJob, horizon = -Infinity) =>
	createdAt !== undefined && createdAt < horizon;

type Ground = TriggerMemory['streams'][string];

/** What to remember of a list after a reading, given what was remembered before. */
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
