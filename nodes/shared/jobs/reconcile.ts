import { fillWithId } from '../request/buildRequest';
import { parseJson } from '../service/parseJson';
import { GENERATION_STATUS, isListed } from '../spec/jobs';
import { isUnfinished } from '../spec/states';
import type { CreateOperation } from '../spec/types';
import { jobInAnswer } from './createJob';
import { readHistory, type History, type HistoryEntry } from './history';
import type { Job } from './job';
import type { Entry } from './ledger';
import { plainPrompt } from './plainPrompt';
import { isChangedByPerson } from './jobEntry';
import type { JobContext, JobSpec } from './jobContext';
import { isMediaType } from './recordType';

/** The service's clock may be so far from ours, ms. */
const SKEW_MS = 10_000;

/** So long after it was about to be sent, a creation has been, or never will be, ms. */
const SENT_WITHIN_MS = 60_000;

/**
 * A job with a prompt like ours may be ours even if the clocks differ more, ms: less once a job that
 * we know shows that they agree, and more until then.
 */
const NEAR_MS = 600_000;
const NEAR_BY_ANY_CLOCK_MS = 86_400_000;

/** A creation whose outcome is unknown: its answer was lost. */
export interface UnknownCreation {
	itemIndex: number;
	operation: CreateOperation;
	/** As it was sent. */
	prompt: unknown;
	/** Fingerprint of the whole request. */
	request?: string;
	/** When it was sent, or about to be, ms since 1970. */
	sentAt: number;
}

/**
 * What became of such a creation:
 * - the job, where the history has one that can be no other's
 * - `none`, where the history proves that there is none
 * - `unknown`, where it does not tell
 */
export type Reconciled = Job | 'none' | 'unknown';

type Reconciling = Pick<JobContext, 'service' | 'clock' | 'signal' | 'account' | 'ledger'>;

/**
 * Looks into the generation history for jobs whose creation has an unknown outcome. What the history
 * shows is not documented, so that it is believed only where its entries have the fields of a
 * generation record (section "Generation record").
 *
 * @returns by item
 */
export async function reconcile(
	run: Reconciling,
	creations: readonly UnknownCreation[],
): Promise<Map<number, Reconciled>> {
	const found = new Map(creations.map(({ itemIndex }) => [itemIndex, 'unknown' as Reconciled]));
	const listed = creations.filter(({ operation }) => isListed(operation));
	if (listed.length === 0) return found;
	for (const { id } of run.ledger.jobs) run.account.claims.add(id);
	const history = await readHistory(run, Math.min(...listed.map(({ sentAt }) => sentAt)) - SKEW_MS);
	const search = new Search(run, history);
	const byPrompt = grouped(listed, ({ prompt }) => plainPrompt(prompt));
	for (const creation of listed) {
		const twins = byPrompt.get(plainPrompt(creation.prompt)) ?? [];
		const own = search.jobOf(creation, twins);
		if (own) found.set(creation.itemIndex, own);
		else if (search.provesAbsence(creation)) found.set(creation.itemIndex, 'none');
	}
	return found;
}

/** What one reading of the history says of creations. */
class Search {
	private readonly byPrompt: Map<string, HistoryEntry[]>;

	/** Jobs that this run knows, by identifier. */
	private readonly known: Map<string, Job>;

	/** Types that the history gives to those. */
	private readonly ownTypes: Set<string | undefined>;

	/** The history tells the time of a job that we know as we do. */
	private readonly hasOurClock: boolean;

	constructor(
		private readonly run: Reconciling,
		private readonly history: History,
	) {
		this.byPrompt = grouped(history.entries, ({ plain }) => plain);
		this.known = new Map(run.ledger.jobs.map((job) => [job.id, job]));
		const own = history.entries.filter(({ id }) => this.known.has(id));
		this.ownTypes = new Set(own.map(({ type }) => type));
		this.hasOurClock = own.some(({ id, createdAt = NaN }) => {
			return Math.abs(createdAt - (this.known.get(id)?.startedAt ?? NaN)) < SKEW_MS;
		});
	}

	/**
	 * The job that can be no other's: with the prompt, made when it was sent, claimed by nobody, and not
	 * one of more than we look for.
	 *
	 * @param twins all creations of the prompt that are looked for
	 */
	jobOf(creation: UnknownCreation, twins: readonly UnknownCreation[]): Job | undefined {
		const { prompt, request, sentAt } = creation;
		const own = (this.byPrompt.get(plainPrompt(prompt)) ?? []).filter(
			(entry) => this.isFree(entry) && this.isOfType(entry, creation) && isInTime(entry, sentAt),
		);
		const open = twins.slice(twins.indexOf(creation));
		// What tells the twins apart may not be in the history; nor is who makes such a job just now.
		const isMixed = twins.some((twin) => twin.request !== request);
		const isContested = isMixed || this.run.account.pending.has(prompt);
		const [first] = own;
		if (!first || isContested || own.length > open.length) return undefined;
		this.run.account.claims.add(first.id);
		return jobIn(first, sentAt);
	}

	/**
	 * That the history lacks a job proves nothing, unless it is complete and up to date, has been seen to
	 * list unfinished jobs of the type, and has no job that may be the one under another prompt.
	 */
	provesAbsence(creation: UnknownCreation): boolean {
		const { entries, isComplete } = this.history;
		const { operation, sentAt } = creation;
		const isOurs = (entry: HistoryEntry) =>
			entry.type === operation.mediaType || this.known.has(entry.id);
		return (
			isComplete &&
			entries.some((entry) => isOurs(entry) && Number(entry.createdAt) >= sentAt) &&
			(this.run.account.unfinishedShown.has(String(operation.mediaType)) ||
				entries.some((entry) => isOurs(entry) && isUnfinished(entry.state ?? ''))) &&
			!entries.some((entry) => this.isFree(entry) && this.mayBeOf(entry, creation))
		);
	}

	/** A job that nobody has claimed. */
	private isFree({ id }: HistoryEntry): boolean {
		return !this.run.account.claims.has(id);
	}

	/** Of the type that is wanted, or of one that a job of this run has, too. */
	private isOfType({ type }: HistoryEntry, { operation }: UnknownCreation): boolean {
		return type === operation.mediaType || this.ownTypes.has(type);
	}

	/** Near enough in time; the more alike the prompts, the less the clocks count. */
	private mayBeOf(entry: HistoryEntry, creation: UnknownCreation): boolean {
		const { operation, prompt, sentAt } = creation;
		const isOtherType = isMediaType(entry.type) && entry.type !== operation.mediaType;
		if (isOtherType && !this.isOfType(entry, creation)) return false;
		const { createdAt = sentAt } = entry;
		if (!this.hasOurClock) return Math.abs(createdAt - sentAt) < NEAR_BY_ANY_CLOCK_MS;
		if (isInTime({ createdAt }, sentAt)) return true;
		return isAlike(entry.plain, plainPrompt(prompt)) && Math.abs(createdAt - sentAt) < NEAR_MS;
	}
}

/** One may have been made of the other: cut, or prolonged. */
function isAlike(told: string, sent: string): boolean {
	return told.startsWith(sent) || sent.startsWith(told.replace(/(?:…|\.\.\.)$/, ''));
}

/** Made when it was sent. */
function isInTime({ createdAt = NaN }: Pick<HistoryEntry, 'createdAt'>, sentAt: number): boolean {
	return createdAt >= sentAt - SKEW_MS && createdAt <= sentAt + SENT_WITHIN_MS;
}

function grouped<T>(list: readonly T[], nameOf: (one: T) => string): Map<string, T[]> {
	const groups = new Map<string, T[]>();
	for (const one of list) {
		const group = groups.get(nameOf(one));
		if (group) group.push(one);
		else groups.set(nameOf(one), [one]);
	}
	return groups;
}

/** An order whose creation has an unknown outcome. */
interface UnknownJob {
	jobSpec: JobSpec;
	entry: Entry;
}

/**
 * Takes the jobs into the ledger that orders of unknown outcome turn out to have: named in an answer
 * that can be understood by now, or listed by the history. The outcome of the others stays unknown.
 */
export async function reconcileOrders(
	run: JobContext,
	jobSpecs: readonly JobSpec[],
): Promise<void> {
	const unknown = jobSpecs.flatMap((jobSpec): UnknownJob[] => {
		const entry = run.ledger.find(jobSpec.itemIndex, jobSpec.request);
		return entry?.sent && !entry.job && !isChangedByPerson(run, jobSpec, entry)
			? [{ jobSpec, entry }]
			: [];
	});
	const unnamed = unknown.filter((one) => !rememberFound(run, one, answeredJob(run, one)));
	const found = await reconcile(
		run,
		unnamed.map(({ jobSpec: { itemIndex, operation }, entry: { request, sent } }) => {
			return { itemIndex, operation, request, prompt: sent?.prompt, sentAt: sent?.at ?? 0 };
		}),
	);
	for (const one of unnamed) rememberFound(run, one, found.get(one.jobSpec.itemIndex));
}

/** The job in an answer without a known identifier, where the credential names that by now. */
function answeredJob({ service }: JobContext, { jobSpec, entry }: UnknownJob): Job | undefined {
	const { answer = '', isAccepted, sent } = entry;
	const body = isAccepted ? parseJson(answer) : undefined;
	return body === undefined
		? undefined
		: jobInAnswer(service, jobSpec.operation, body, sent?.at ?? 0);
}

/** @returns whether it is a job */
function rememberFound(
	run: JobContext,
	{ jobSpec, entry }: UnknownJob,
	job: Reconciled | undefined,
): boolean {
	if (typeof job !== 'object') return false;
	const { executionId, parameters, request } = entry;
	run.account.claims.add(job.id);
	run.ledger.remember(jobSpec.itemIndex, jobSpec.request, {
		job,
		executionId,
		parameters,
		request,
	});
	return true;
}

function jobIn({ id, createdAt, record }: HistoryEntry, sentAt: number): Job {
	const { path, urlFields, isInHistory } = GENERATION_STATUS;
	const status = { path: fillWithId(path, id), urlFields, isInHistory };
	return { id, status, creation: record, startedAt: createdAt ?? sentAt };
}
