import type { Clock } from '../clock/clock';
import { isUnmistakable } from '../jobs/proof';
import { identifiersIn } from '../jobs/readRecord';
import { resultUrls } from '../output/resultUrls';
import { attempt, type Attempt } from '../service/attempt';
import type { Service } from '../service/service';
import { isNotSent, isRefusal, unreadable } from '../service/serviceError';
import { cleanText } from '../service/shownText';
import { READ } from '../spec/answers';
import type { JobList } from '../spec/types';
import { asItsStatusTells, asListed, isResultUntold, type EndedJob } from './endedJob';
import { endOf, hasEnded, type ListedJob } from './listedJobs';
import { aliasesOf, namesOf, type KnownJobs, type PendingJob } from './memory';
import { isWished, type Wishes } from './wishes';

interface Candidate {
	/** As shown by the first list that shows its end. */
	job: ListedJob;
	/** As other lists show it. */
	twins: ListedJob[];
}

/** Jobs that may be news. A job that two lists show is one candidate. */
export class Candidates {
	private readonly all: Candidate[] = [];
	private readonly byName = new Map<string, Candidate>();

	add(job: ListedJob): void {
		const known = aliasesOf(job)
			.map((name) => this.byName.get(name))
			.find(Boolean);
		const candidate = known ?? { job, twins: [] };
		if (known) known.twins.push(job);
		else this.all.push(candidate);
		for (const name of namesOf(job)) this.byName.set(name, candidate);
	}

	/** Sorted by when they ended; those without a time come first. */
	oldestFirst(): Candidate[] {
		return [...this.all].sort((one, other) => endOf(one.job) - endOf(other.job));
	}
}

/** How many statuses one poll reads. */
const MOST = 20;

/** Reads the statuses of jobs, `MOST` in one poll. */
export class StatusReads {
	private left = MOST;

	/** @param isAnother whether an identifier belongs to another job of the same list */
	constructor(
		private readonly service: Service,
		private readonly clock: Clock,
		private readonly isAnother: (id: string, job: ListedJob) => boolean,
	) {}

	get areUsedUp(): boolean {
		return this.left <= 0;
	}

	async read(job: ListedJob): Promise<Attempt<EndedJob>> {
		this.left--;
		return await attempt(this.ownStatus(job));
	}

	/** @throws ServiceError also if the answer is about another job, which would then never start the workflow itself */
	private async ownStatus(job: ListedJob): Promise<EndedJob> {
		const ended = await asItsStatusTells(job, this.service, this.clock);
		const told = identifiersIn(ended.snapshot.record).map(({ value }) => value);
		if (told.some((id) => [job.id, ...job.otherIds].includes(id))) return ended;
		// A short identifier, or a number, may belong to something else.
		const other = told.find((id) => isUnmistakable(id) && this.isAnother(id, job));
		if (other === undefined) return ended;
		throw unreadable(READ, JSON.stringify(ended.snapshot.record));
	}
}

/** This many polls ask each time; after them every second poll, then every fourth … down to one in `RAREST`. */
const PATIENT_POLLS = 10;
const RAREST = 32;

/**
 * Whether what was asked in vain is asked again: more and more rarely.
 *
 * @param polls how many there were so far
 */
export function isDue(polls: number): boolean {
	const every = Math.min(2 ** Math.floor(polls / PATIENT_POLLS), RAREST);
	return polls % every === 0;
}

/** How many jobs one poll hands on; those that ended later are left to the next. */
const MOST_JOBS = 100;

/** After this many polls that could not read its status, a job is handed on as its list shows it. */
const MOST_TRIES = 5;

export interface Deciding {
	wishes: Wishes;
	service: Pick<Service, 'field' | 'baseUrl'>;
	sources: readonly JobList[];
	known: KnownJobs;
	statusReads: StatusReads;
	tell: (text: string) => void;
}

/**
 * Decides which candidates start the workflow. Each that is decided on is known from now on; those that are left to
 * the next poll do not hold up others.
 *
 * @returns the jobs that start it, the oldest first; `isBehind` if some are left to the next poll
 */
export async function decide(
	candidates: readonly Candidate[],
	deciding: Deciding,
): Promise<{ jobs: EndedJob[]; isBehind: boolean }> {
	const { known } = deciding;
	const jobs: EndedJob[] = [];
	let isBehind = false;
	for (const candidate of candidates) {
		const decided = jobs.length < MOST_JOBS ? await decideOn(candidate, deciding) : 'later';
		if (decided === 'later') isBehind = true;
		else if (typeof decided === 'object' && 'wait' in decided) {
			known.waitFor(candidate.job, decided.wait);
		} else {
			for (const job of [candidate.job, ...candidate.twins]) known.markSeen(job);
			if (decided !== 'unwanted') {
				known.markSeen(decided.job);
				jobs.push(decided);
			}
		}
	}
	return { jobs, isBehind };
}

/** What becomes of a candidate: it starts the workflow, or does not, or is looked at another time. */
type Decision = EndedJob | 'unwanted' | 'later' | { wait: Partial<PendingJob> };

async function decideOn(candidate: Candidate, deciding: Deciding): Promise<Decision> {
	const { wishes, service, statusReads, known } = deciding;
	const listed = asListed(candidate.job, service);
	const wished = isWished(wishes, listed.job);
	if (wished === false) return 'unwanted';
	const isUntold = isResultUntold(listed, wishes.options.resultField);
	if (wished && !isUntold) return unlessTold(listed, deciding);
	const { contradicted = 0 } = known.pendingOf(candidate.job) ?? {};
	const again = { wait: { contradicted: contradicted + 1 } };
	if (!isDue(contradicted)) return again;
	if (statusReads.areUsedUp) return 'later';
	const read = await readStatus(candidate, statusReads);
	if ('error' in read) return afterFault(read.error, listed, deciding);
	if (!hasEnded(read.value.job)) return again;
	return isWished(wishes, read.value.job) === false ? 'unwanted' : unlessTold(read.value, deciding);
}

/** Where the route of one list does not know the job, that of another list may. */
async function readStatus(
	{ job, twins }: Candidate,
	statusReads: StatusReads,
): Promise<Attempt<EndedJob>> {
	let read = await statusReads.read(job);
	for (const twin of twins) {
		if ('error' in read && isRefusal(read.error)) read = await statusReads.read(twin);
	}
	return read;
}

/**
 * The job, unless another list has already shown it. Two lists may show one job under different identifiers, but
 * its result has one URL, which is remembered.
 */
function unlessTold(ended: EndedJob, { sources, known }: Deciding): EndedJob | 'unwanted' {
	const [url] = resultUrls(ended.snapshot, ended.origin, '').main;
	if (url === undefined) return ended;
	const { source: own } = ended.job;
	const markOf = ({ route }: JobList) => `${route.value} ${url}`;
	const others = sources.filter((source) => source !== own);
	if (others.some((source) => known.hasMark(markOf(source)))) return 'unwanted';
	known.mark(markOf(own), own);
	return ended;
}

/** A fault that may pass is waited out for some polls. */
function afterFault(error: unknown, listed: EndedJob, { known, tell }: Deciding): Decision {
	if (isNotSent(error)) return 'later';
	const { unread = 0 } = known.pendingOf(listed.job) ?? {};
	if (!isRefusal(error) && unread + 1 < MOST_TRIES) return { wait: { unread: unread + 1 } };
	const id = cleanText(listed.job.id, MOST_SHOWN);
	tell(`The status of job ${id} cannot be read: its item is what the list tells`);
	return listed;
}

/** Characters of an identifier that n8n's log shows. */
const MOST_SHOWN = 100;
