import { cleanText } from '../service/shownText';
import type { NamedJob } from '../service/errorTexts';
import { parseJson } from '../service/bodies';
import { isListed } from '../spec/answers';
import type { CreateOperation } from '../spec/types';
import { jobInAnswer } from './createJob';
import { readHistory, type HistoryEntry } from './history';
import type { Job } from './job';
import { doubtIn, type InDoubt, type Sent } from './order';
import { isChangedByPerson, remember } from './itemOrder';
import type { JobContext, JobSpec } from './jobContext';
import { isAlike, plainPrompt } from './proof';
import { isMediaType } from './readRecord';

/** How far the service's clock may be from ours, ms. */
const SKEW_MS = 10_000;

/** A creation that is not sent within this time after it was about to be never will be, ms. */
const SENT_WITHIN_MS = 60_000;

/** How far from the creation a job with a prompt like ours may be and still be ours, ms: clocks are set. */
const NEAR_MS = 86_400_000;

/** How many jobs are named to a person, and how many characters of the prompt of each. */
const MOST_CANDIDATES = 5;
const SHOWN_PROMPT = 60;

/** A creation whose outcome is unknown: its answer was lost. */
interface UnknownCreation extends Sent {
	itemIndex: number;
	operation: CreateOperation;
}

type Reconciling = Pick<JobContext, 'service' | 'clock' | 'signal' | 'account' | 'ledger'>;

/**
 * Looks in the generation history for jobs whose creation has an unknown outcome. None is taken: another process, another
 * workflow or a person on the website may have ordered the same in the same minute, and that the history lacks a job
 * proves nothing. So a person is told which jobs may be the one (money rule 1).
 *
 * @returns those that may be the job of each creation, by item index, the likeliest first; none where the history
 *   does not list such jobs
 */
export async function candidatesFor(
	run: Reconciling,
	creations: readonly UnknownCreation[],
): Promise<Map<number, NamedJob[]>> {
	const listed = creations.filter(({ operation }) => isListed(operation));
	if (listed.length === 0) return new Map();
	const { claims } = run.account;
	for (const { id } of run.ledger.jobs) claims.add(id);
	const entries = await readHistory(run, Math.min(...listed.map(({ at }) => at)) - SKEW_MS);
	// The order of any other job is known in this process.
	const open = entries.filter(({ id }) => !claims.has(id));
	return new Map(listed.map((creation) => [creation.itemIndex, candidatesIn(open, creation)]));
}

/** First the entries with a prompt like ours, then others of that minute; of each, the nearest in time first. */
function candidatesIn(open: readonly HistoryEntry[], creation: UnknownCreation): NamedJob[] {
	const { prompt, at, operation } = creation;
	const distance = ({ createdAt = at }: HistoryEntry) => Math.abs(createdAt - at);
	const isOfType = ({ type }: HistoryEntry) => !isMediaType(type) || type === operation.mediaType;
	const near = open.filter((entry) => isOfType(entry) && distance(entry) < NEAR_MS);
	const nearest = near.sort((one, other) => distance(one) - distance(other));
	const isOfPrompt = ({ plain }: HistoryEntry) => isAlike(plain, plainPrompt(prompt));
	const alike = nearest.filter(isOfPrompt);
	const others = nearest.filter((entry) => !isOfPrompt(entry) && isInTime(entry, at));
	return [...alike, ...others].slice(0, MOST_CANDIDATES).map(({ id, createdAt, prompt: told }) => ({
		jobId: id,
		createdAt: createdAt === undefined ? null : new Date(createdAt).toISOString(),
		prompt: cleanText(told, SHOWN_PROMPT),
	}));
}

/** Whether it was made at about the time of sending. */
function isInTime({ createdAt = NaN }: HistoryEntry, sentAt: number): boolean {
	return createdAt >= sentAt - SKEW_MS && createdAt <= sentAt + SENT_WITHIN_MS;
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
 * Puts into the ledger the jobs that the answers to creations of orders in doubt name, if the credential tells their
 * field by now. The other orders stay in doubt, and the ledger gets the jobs that may be theirs.
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
	const unnamed = unknown.filter((one) => {
		const job = answeredJob(run, one);
		if (!job) return true;
		run.account.claims.add(job.id);
		remember(run, one.jobSpec, { kind: 'named', job });
		taken.push({ itemIndex: one.jobSpec.itemIndex, jobId: job.id });
		return false;
	});
	const found = await candidatesFor(
		run,
		unnamed.map(({ jobSpec: { itemIndex, operation }, doubt }) => ({
			...doubt.sent,
			itemIndex,
			operation,
		})),
	);
	for (const one of unnamed) {
		const candidates = found.get(one.jobSpec.itemIndex);
		if (candidates) rememberCandidates(run, one, candidates);
	}
	return taken;
}

/** The job in an answer without a known identifier, if the credential names its field by now. */
function answeredJob({ service }: JobContext, { jobSpec, doubt }: UnknownJob): Job | undefined {
	const { answer = '', isAccepted, sent } = doubt;
	const body = isAccepted ? parseJson(answer) : undefined;
	return body === undefined ? undefined : jobInAnswer(service, jobSpec.operation, body, sent.at);
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
