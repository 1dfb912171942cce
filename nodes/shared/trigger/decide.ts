import { resultUrls } from '../output/resultUrls';
import type { Attempt } from '../service/attempt';
import type { Service } from '../service/service';
import { cleanText } from '../service/cleanText';
import { isNotSent, isRefusal } from '../service/serviceError';
import type { JobSource } from '../spec/catalogs';
import type { Candidate } from './candidates';
import { asListed, isOver, isResultUntold, type EndedJob } from './endedJob';
import { isDue } from './isDue';
import type { KnownJobs } from './knownJobs';
import type { PendingJob } from './memory';
import type { StatusReads } from './statusReads';
import { isWished, type Wishes } from './wishes';

/** Jobs that one poll hands on; those that ended later are left to the next. */
const MOST_JOBS = 100;

/** A job whose status cannot be read so many times is handed on as its list shows it. */
const MOST_TRIES = 5;

export interface Deciding {
	wishes: Wishes;
	service: Pick<Service, 'field' | 'baseUrl'>;
	sources: readonly JobSource[];
	known: KnownJobs;
	statusReads: StatusReads;
	/** Says something in n8n's log. */
	tell: (text: string) => void;
}

interface Decided {
	/** Those that start the workflow, the oldest first. */
	jobs: EndedJob[];
	/** There are more, which the next poll decides on. */
	isBehind: boolean;
}

/**
 * Which of the candidates start the workflow; each that is decided on is known from now on. Those that are
 * left to the next poll keep no other waiting.
 */
export async function decide(
	candidates: readonly Candidate[],
	deciding: Deciding,
): Promise<Decided> {
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
	if (!isOver(read.value)) return again;
	return isWished(wishes, read.value.job) === false ? 'unwanted' : unlessTold(read.value, deciding);
}

/** Where one list's route does not know the job, that of the other may. */
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
 * The job, unless another list has told of it: two lists may have it under identifiers of their own, but
 * its result has one URL, which is remembered.
 */
function unlessTold(ended: EndedJob, { sources, known }: Deciding): EndedJob | 'unwanted' {
	const [url] = resultUrls(ended.snapshot, ended.origin, '').main;
	if (url === undefined) return ended;
	const { source: own } = ended.job;
	const markOf = ({ route }: JobSource) => `${route.value} ${url}`;
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
