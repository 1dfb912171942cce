import { fillWithId } from '../request/buildRequest';
import { cleanText } from '../service/shownText';
import type { NamedJob } from '../service/errorTexts';
import { parseJson } from '../service/bodies';
import { GENERATION_STATUS, isListed, isUnfinished } from '../spec/answers';
import type { CreateOperation } from '../spec/types';
import { jobInAnswer } from './createJob';
import { readHistory, type History, type HistoryEntry } from './history';
import type { Job } from './job';
import { doubtIn, type InDoubt, type Sent } from './order';
import { isChangedByPerson, remember } from './itemOrder';
import type { JobContext, JobSpec } from './jobContext';
import { isAlike, plainPrompt } from './proof';
import { isMediaType } from './readRecord';

/** The service's clock may be so far from ours, ms. */
const SKEW_MS = 10_000;

/** A clock whose settings are no further apart has not been set, ms. */
const SAME_SETTING_MS = 100;

/** So long after it was about to be sent, a creation has been, or never will be, ms. */
const SENT_WITHIN_MS = 60_000;

/**
 * A job with a prompt like ours may be ours within so long, ms: the time at which it was sent may be off
 * by more than the clocks are apart now, since clocks are set.
 */
const NEAR_MS = 86_400_000;

/** Jobs that are named to a person, and characters of the prompt of each. */
const MOST_CANDIDATES = 5;
const SHOWN_PROMPT = 60;

/** What is shorter may be in an answer by chance. */
const LEAST_ID = 8;

/** A creation whose outcome is unknown: its answer was lost. */
export interface UnknownCreation {
	itemIndex: number;
	operation: CreateOperation;
	/** As it was sent. */
	prompt: unknown;
	/** When it was sent, or about to be, ms since 1970. */
	sentAt: number;
	/** How the clock was set then (`settingOf`). */
	clockSetting?: number;
	/** What came in place of a readable answer, where that accepts the job. */
	answer?: string;
}

/**
 * What became of such a creation:
 * - `named`: the history has a job that its own answer names
 * - `absent`: the history proves that there is no job
 * - `unknown`: it does not tell; with the jobs that may be the one, the likeliest first
 */
type Reconciled =
	| { kind: 'named'; job: Job }
	| { kind: 'absent' }
	| { kind: 'unknown'; candidates: NamedJob[] };

type Reconciling = Pick<JobContext, 'service' | 'clock' | 'signal' | 'account' | 'ledger'>;

/**
 * Looks into the generation history for jobs whose creation has an unknown outcome. A job with the
 * prompt is not taken: its record does not show all that was ordered, and another process, another
 * workflow or a person on the website may have ordered the same in the same minute (money rule 1). What
 * the history shows is not documented, so that it is believed only where its entries have the fields of
 * a generation record (section "Generation record").
 *
 * @returns by item
 */
export async function reconcile(
	run: Reconciling,
	creations: readonly UnknownCreation[],
): Promise<Map<number, Reconciled>> {
	const listed = creations.filter(({ operation }) => isListed(operation));
	const found = new Map<number, Reconciled>();
	for (const { itemIndex } of creations) found.set(itemIndex, { kind: 'unknown', candidates: [] });
	if (listed.length === 0) return found;
	for (const { id } of run.ledger.jobs) run.account.claims.add(id);
	const history = await readHistory(run, Math.min(...listed.map(({ sentAt }) => sentAt)) - SKEW_MS);
	const search = new Search(run, history);
	for (const creation of listed) found.set(creation.itemIndex, search.outcomeOf(creation));
	return found;
}

/** What one reading of the history says of creations. */
class Search {
	/** Jobs that this run knows, by identifier. */
	private readonly known: Map<string, Job>;

	/** Types that the history gives to those. */
	private readonly ownTypes: Set<string | undefined>;

	/** Settings of our clock (`settingOf`) by which the history tells the time of a job that we know as we do. */
	private readonly ourSettings: Set<number>;

	constructor(
		private readonly run: Reconciling,
		private readonly history: History,
	) {
		this.known = new Map(run.ledger.jobs.map((job) => [job.id, job]));
		const own = history.entries.filter(({ id }) => this.known.has(id));
		this.ownTypes = new Set(own.map(({ type }) => type));
		this.ourSettings = new Set(
			own.flatMap(({ id, createdAt = NaN }) => {
				const { startedAt = NaN, clockSetting = NaN } = this.known.get(id) ?? {};
				return Math.abs(createdAt - startedAt) < SKEW_MS ? [clockSetting] : [];
			}),
		);
	}

	outcomeOf(creation: UnknownCreation): Reconciled {
		const open = this.history.entries.filter(
			(entry) => this.isFree(entry) && this.mayBeOf(entry, creation),
		);
		const named = open.filter(
			({ id, plain }) =>
				isNamedIn(creation.answer, id) && isAlike(plain, plainPrompt(creation.prompt)),
		);
		if (named.length === 1) return { kind: 'named', job: jobIn(named[0]!, creation.sentAt) };
		if (open.length === 0 && this.provesAbsence(creation)) return { kind: 'absent' };
		return { kind: 'unknown', candidates: candidatesIn(open, creation) };
	}

	/**
	 * That the history lacks a job proves nothing, unless it is complete and up to date by a clock that is
	 * ours, and has been seen to list unfinished jobs of the type. A job that this run knows was made before:
	 * where it seems to be later, the clock has been set.
	 */
	private provesAbsence(creation: UnknownCreation): boolean {
		const { operation, sentAt } = creation;
		const { entries, isComplete } = this.history;
		const isOfType = ({ type }: HistoryEntry) => type === operation.mediaType;
		const isOurs = (entry: HistoryEntry) => isOfType(entry) || this.known.has(entry.id);
		// One that was made sooner may be listed, and ours, sent a little later, not yet.
		const upToDateAt = sentAt + SENT_WITHIN_MS + SKEW_MS;
		const isSince = ({ id, createdAt }: HistoryEntry) =>
			!this.known.has(id) && Number(createdAt) >= upToDateAt;
		return (
			isComplete &&
			!this.hidesKnown(upToDateAt) &&
			this.hasOurClock(creation) &&
			entries.some((entry) => isOfType(entry) && isSince(entry)) &&
			(this.run.account.unfinishedShown.has(String(operation.mediaType)) ||
				entries.some((entry) => isOurs(entry) && isUnfinished(entry.state ?? '')))
		);
	}

	/** It lacks a job that this run knows, made since its oldest entry: it hides some, such as those that have failed. */
	private hidesKnown(before: number): boolean {
		const { entries } = this.history;
		const listed = new Set(entries.map(({ id }) => id));
		const oldest = Math.min(...entries.map(({ createdAt = Infinity }) => createdAt));
		return [...this.known.values()].some(
			({ id, status, startedAt }) =>
				'path' in status &&
				status.isInHistory === true &&
				!listed.has(id) &&
				startedAt - SKEW_MS > oldest &&
				startedAt < before,
		);
	}

	/**
	 * The history tells when the creation was sent as we do: the clock was set as for a job that it tells the time of
	 * as we do. A clock that agreed before it was set proves nothing.
	 */
	private hasOurClock({ clockSetting = NaN }: UnknownCreation): boolean {
		return [...this.ourSettings].some(
			(setting) => Math.abs(setting - clockSetting) < SAME_SETTING_MS,
		);
	}

	/** A job whose order nobody in this process knows. */
	private isFree({ id }: HistoryEntry): boolean {
		return !this.run.account.claims.has(id);
	}

	/** Of the type that is wanted, and near enough in time: the more alike the prompts, the less time counts. */
	private mayBeOf(entry: HistoryEntry, creation: UnknownCreation): boolean {
		const { operation, prompt, sentAt } = creation;
		const { type } = entry;
		const isOfType = type === operation.mediaType || this.ownTypes.has(type);
		if (isMediaType(type) && !isOfType) return false;
		const { createdAt = sentAt } = entry;
		const isNear = Math.abs(createdAt - sentAt) < NEAR_MS;
		if (!this.hasOurClock(creation) || isAlike(entry.plain, plainPrompt(prompt))) return isNear;
		return isInTime({ createdAt }, sentAt);
	}
}

/** Made when it was sent. */
function isInTime({ createdAt = NaN }: Pick<HistoryEntry, 'createdAt'>, sentAt: number): boolean {
	return createdAt >= sentAt - SKEW_MS && createdAt <= sentAt + SENT_WITHIN_MS;
}

/** As a word of its own. */
const isNamedIn = (answer = '', id: string) =>
	id.length >= LEAST_ID && answer.split(/[^\w-]+/).includes(id);

/** Those with a prompt that is alike, then those of that minute; the nearest in time first. */
function candidatesIn(open: readonly HistoryEntry[], creation: UnknownCreation): NamedJob[] {
	const { prompt, sentAt } = creation;
	const distance = ({ createdAt = Infinity }: HistoryEntry) => Math.abs(createdAt - sentAt);
	const nearest = [...open].sort((one, other) => distance(one) - distance(other));
	const isOfPrompt = ({ plain }: HistoryEntry) => isAlike(plain, plainPrompt(prompt));
	const alike = nearest.filter(isOfPrompt);
	const others = nearest.filter((entry) => !isOfPrompt(entry) && isInTime(entry, sentAt));
	return [...alike, ...others].slice(0, MOST_CANDIDATES).map(({ id, createdAt, prompt: told }) => ({
		jobId: id,
		createdAt: createdAt === undefined ? null : new Date(createdAt).toISOString(),
		prompt: cleanText(told, SHOWN_PROMPT),
	}));
}

/** An order whose creation has an unknown outcome, and can be looked for. */
interface UnknownJob {
	jobSpec: JobSpec;
	doubt: InDoubt & { sent: Sent };
}

/** A job that was taken for that of an order in doubt, since the answer to its creation names it. */
export interface Taken {
	itemIndex: number;
	jobId: string;
}

/**
 * Takes the jobs into the ledger that answers to orders of unknown outcome name, where they can be
 * understood by now. The outcome of the others stays unknown, and the ledger has the jobs that may be
 * theirs.
 */
export async function reconcileOrders(
	run: JobContext,
	jobSpecs: readonly JobSpec[],
): Promise<Taken[]> {
	const unknown = jobSpecs.flatMap((jobSpec): UnknownJob[] => {
		const order = run.ledger.find(jobSpec.itemIndex, jobSpec.request);
		const { sent } = doubtIn(order) ?? {};
		const isOpen = order?.state === 'inDoubt' && !isChangedByPerson(run, jobSpec, order);
		return sent && isOpen ? [{ jobSpec, doubt: { ...order, sent } }] : [];
	});
	const taken: Taken[] = [];
	const take = ({ jobSpec }: UnknownJob, job: Job | undefined) => {
		if (!job) return false;
		run.account.claims.add(job.id);
		remember(run, jobSpec, { kind: 'named', job });
		taken.push({ itemIndex: jobSpec.itemIndex, jobId: job.id });
		return true;
	};
	const unnamed = unknown.filter((one) => !take(one, answeredJob(run, one)));
	const found = await reconcile(
		run,
		unnamed.map(({ jobSpec: { itemIndex, operation }, doubt }) => {
			const { prompt, at: sentAt, clockSetting } = doubt.sent;
			return { itemIndex, operation, answer: acceptance(doubt), prompt, sentAt, clockSetting };
		}),
	);
	for (const one of unnamed) {
		const outcome = found.get(one.jobSpec.itemIndex);
		if (outcome?.kind === 'named') take(one, outcome.job);
		// Where the history lists no such jobs, there is nothing to tell.
		const isListedThere = isListed(one.jobSpec.operation);
		if (outcome?.kind === 'unknown' && isListedThere)
			rememberCandidates(run, one, outcome.candidates);
	}
	return taken;
}

/** The job in an answer without a known identifier, where the credential names that by now. */
function answeredJob({ service }: JobContext, { jobSpec, doubt }: UnknownJob): Job | undefined {
	const { answer = '', isAccepted, sent } = doubt;
	const body = isAccepted ? parseJson(answer) : undefined;
	return body === undefined ? undefined : jobInAnswer(service, jobSpec.operation, body, sent.at);
}

/** An answer that accepts the job: whatever another names is not its job. */
function acceptance({ answer, isAccepted }: InDoubt): string | undefined {
	return isAccepted && !/"success"\s*:\s*false/i.test(answer ?? '') ? answer : undefined;
}

/**
 * A person who has not been told what the history shows has not decided to order anew: that is for the
 * execution after the one that tells. A history that shows no such job may be late, or say nothing.
 */
function rememberCandidates(
	run: JobContext,
	{ jobSpec, doubt }: UnknownJob,
	candidates: NamedJob[],
): void {
	const told = new Set(doubt.candidates?.map(({ jobId }) => jobId));
	if (doubt.candidates && candidates.every(({ jobId }) => told.has(jobId))) return;
	remember(run, jobSpec, { kind: 'searched', candidates });
}

function jobIn({ id, createdAt, record }: HistoryEntry, sentAt: number): Job {
	const { path, urlFields, isInHistory } = GENERATION_STATUS;
	const status = { path: fillWithId(path, id), urlFields, isInHistory };
	return { id, status, creation: record, startedAt: createdAt ?? sentAt };
}
