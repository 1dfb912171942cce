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

/** How far the service's clock may be from ours, ms. */
const SKEW_MS = 10_000;

/** If two settings of a clock are no further apart than this, the clock was not set in between, ms. */
const SAME_SETTING_MS = 100;

/** A creation that is not sent within this time after it was about to be never will be, ms. */
const SENT_WITHIN_MS = 60_000;

/**
 * How far from the creation a job with a prompt like ours may be and still be ours, ms: the time noted for the creation
 * may be off by more than the clocks differ now, since clocks are set.
 */
const NEAR_MS = 86_400_000;

/** How many jobs are named to a person, and how many characters of the prompt of each. */
const MOST_CANDIDATES = 5;
const SHOWN_PROMPT = 60;

/** A shorter identifier may be in an answer by chance. */
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
	/** What came in place of a readable answer, if that accepts the job. */
	answer?: string;
}

/**
 * What became of such a creation:
 * - `named`: the history has a job that the answer to the creation names
 * - `absent`: the history proves that there is no job
 * - `unknown`: the history does not tell; `candidates` may be the job, the likeliest first
 */
type Reconciled =
	| { kind: 'named'; job: Job }
	| { kind: 'absent' }
	| { kind: 'unknown'; candidates: NamedJob[] };

type Reconciling = Pick<JobContext, 'service' | 'clock' | 'signal' | 'account' | 'ledger'>;

/**
 * Looks in the generation history for jobs whose creation has an unknown outcome. The same prompt is not enough to take
 * a job: its record does not show all that was ordered, and another process, another workflow or a person on the
 * website may have ordered the same in the same minute (money rule 1). What the history shows is not documented, so it
 * is believed only where its entries have the fields of a generation record (section "Generation record").
 *
 * @returns what became of each creation, by item index
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

	/** Types that the history gives to these jobs. */
	private readonly ownTypes: Set<string | undefined>;

	/** Settings of our clock (`settingOf`) at which the history agrees with us on when a known job was made. */
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
			// Nobody in this process knows the order of such a job.
			(entry) => !this.run.account.claims.has(entry.id) && this.mayBeOf(entry, creation),
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
	 * Whether the history proves that there is no job. To do so, it must be complete, up to date by a clock that agrees
	 * with ours, and have been seen to list unfinished jobs of the type. A job that this run knows does not show that it
	 * is up to date: it was made earlier, and only seems later if the clock has been set.
	 */
	private provesAbsence(creation: UnknownCreation): boolean {
		const { operation, sentAt } = creation;
		const { entries, isComplete } = this.history;
		const isOfType = ({ type }: HistoryEntry) => type === operation.mediaType;
		const isOurs = (entry: HistoryEntry) => isOfType(entry) || this.known.has(entry.id);
		// An entry made before this may be listed when ours, sent a little later, is not yet.
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

	/** Whether the history lacks a known job made since its oldest entry: then it hides some, such as failed ones. */
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
	 * Whether our clock agreed with the history's when the creation was sent: it had the same setting as for a known job
	 * on whose time both agree. That the clock agreed before it was set proves nothing.
	 */
	private hasOurClock({ clockSetting = NaN }: UnknownCreation): boolean {
		return [...this.ourSettings].some(
			(setting) => Math.abs(setting - clockSetting) < SAME_SETTING_MS,
		);
	}

	/** Whether type and time fit: within a day if prompts are alike or the clocks may differ, else within a minute. */
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

/** Whether it was made at about the time of sending. */
function isInTime({ createdAt = NaN }: Pick<HistoryEntry, 'createdAt'>, sentAt: number): boolean {
	return createdAt >= sentAt - SKEW_MS && createdAt <= sentAt + SENT_WITHIN_MS;
}

/** Whether an answer has the identifier as a whole word. */
const isNamedIn = (answer = '', id: string) =>
	id.length >= LEAST_ID && answer.split(/[^\w-]+/).includes(id);

/** First the entries with a prompt like ours, then others of that minute; of each, the nearest in time first. */
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

/** A job that was taken for that of an order in doubt, because the answer to its creation names it. */
export interface Taken {
	itemIndex: number;
	jobId: string;
}

/**
 * Puts into the ledger the jobs that the answers to creations of orders in doubt name, if they can be understood by
 * now. The other orders stay in doubt, and the ledger gets the jobs that may be theirs.
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
		// If the history does not list such jobs at all, it tells nothing about them.
		const isListedThere = isListed(one.jobSpec.operation);
		if (outcome?.kind === 'unknown' && isListedThere)
			rememberCandidates(run, one, outcome.candidates);
	}
	return taken;
}

/** The job in an answer without a known identifier, if the credential names its field by now. */
function answeredJob({ service }: JobContext, { jobSpec, doubt }: UnknownJob): Job | undefined {
	const { answer = '', isAccepted, sent } = doubt;
	const body = isAccepted ? parseJson(answer) : undefined;
	return body === undefined ? undefined : jobInAnswer(service, jobSpec.operation, body, sent.at);
}

/** The answer, if it accepts the job: an identifier in any other answer is not its job's. */
function acceptance({ answer, isAccepted }: InDoubt): string | undefined {
	return isAccepted && !/"success"\s*:\s*false/i.test(answer ?? '') ? answer : undefined;
}

/**
 * Notes what the history shows, so that a person is told. A person who was not told has not decided to order anew: that
 * is for the retry after this one, even if the history shows no such job, since it may be late or say nothing.
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
