import { parseJson } from '../spec/values';
import type { ServiceRequest } from '../service/service';
import { sendWithRetry } from '../service/retry';
import { ServiceError } from '../service/serviceError';
import { cleanText, sentences } from '../service/shownText';
import { JOB_HISTORY } from '../spec/jobs';
import type { CreateOperation } from '../spec/operation';
import { jobInAnswer } from './startJob';
import { entriesSince, type ListEntry, isAlike, plainPrompt } from './history';
import { doubtText, type Job, type NamedJob } from './job';
import type { JobContext } from './jobContext';
import { doubtIn, isAccepted, KILLED, type Order } from './order';

/*
 * What an order of unknown outcome may be. No machine ever takes a job of the history for it (money rule 1): another
 * workflow, process or person may have ordered the same in the same minute. So it is named to a person, who decides.
 */

/** How far from the creation such a job may be, ms: clocks differ, and an answer may be late. */
const NEAR_MS = 3_600_000;

/** How many jobs are named to a person, and how many characters of the prompt of each. */
const MOST_NAMED = 5;
const SHOWN_PROMPT = 60;

type Looking = Pick<JobContext, 'service' | 'clock' | 'signal' | 'account' | 'orders'>;

/** What is looked for: a prompt, and when its job was created, in ms since 1970. */
interface AskedFor {
	prompt?: string;
	from: number;
	to: number;
}

/**
 * Jobs of the generation history that may be those that are looked for, of which nobody in this process knows the order.
 *
 * @returns for each, the nearest in time first; `undefined` if the history cannot be read
 */
export async function mayBe(
	run: Looking,
	sought: readonly AskedFor[],
): Promise<NamedJob[][] | undefined> {
	const { claims } = run.account;
	const since = Math.min(...sought.map(({ from }) => from));
	const send = async (request: ServiceRequest) =>
		await sendWithRetry(run.service, request, run.clock, { signal: run.signal });
	const open: ListEntry[] = [];
	try {
		for await (const entries of entriesSince(send, JOB_HISTORY, since))
			open.push(...entries.filter(({ id }) => id !== undefined && !claims.has(id)));
	} catch {
		if (open.length === 0) return undefined;
	}
	return sought.map((one) => namedIn(open, one));
}

function namedIn(open: readonly ListEntry[], { prompt, from, to }: AskedFor): NamedJob[] {
	const wanted = plainPrompt(prompt);
	const middle = (from + to) / 2;
	const distance = ({ createdAt = middle }: ListEntry) => Math.abs(createdAt - middle);
	const like = open.filter(
		(entry) => distance(entry) <= to - middle && isAlike(plainPrompt(entry.prompt), wanted),
	);
	like.sort((one, other) => distance(one) - distance(other));
	return like.slice(0, MOST_NAMED).map(({ id = '', createdAt, prompt: told = '' }) => ({
		jobId: id,
		createdAt: createdAt === undefined ? null : new Date(createdAt).toISOString(),
		prompt: cleanText(told, SHOWN_PROMPT),
	}));
}

/** An order of unknown outcome, and what it is an order for. */
export interface Doubtful {
	order: Order;
	operation: CreateOperation;
}

/**
 * Looks up what such orders may be, and notes it, as a person is told. The history lists jobs of some operations only.
 *
 * @returns those that may be a job of which the person has not been told before
 */
export async function noteMayBe(run: Looking, doubts: readonly Doubtful[]): Promise<Set<Order>> {
	const listed = doubts.filter(({ operation }) => operation.status.isInHistory);
	if (listed.length === 0) return new Set();
	const sought = listed.map(({ order: { started, sentAt } }) => {
		return { ...started, from: sentAt - NEAR_MS, to: sentAt + NEAR_MS };
	});
	const found = await mayBe(run, sought);
	const news = listed.filter(({ order }, index) => {
		const doubt = doubtIn(order);
		const named = found?.[index];
		if (!doubt || !named) return false;
		const { mayBe: told = [] } = doubt;
		const ids = new Set(told.map(({ jobId }) => jobId));
		const added = named.filter(({ jobId }) => !ids.has(jobId));
		run.orders.settle(order, { ...doubt, mayBe: [...told, ...added] });
		return added.length > 0;
	});
	return new Set(news.map(({ order }) => order));
}

/** Why an order of unknown outcome has no result, and what to do. @param isRepeated it would be sent once more */
export function doubtError({ order, operation }: Doubtful, isRepeated = false): ServiceError {
	const doubt = doubtIn(order) ?? KILLED;
	const { why, answer, status, said, mayBe: named } = doubt;
	const message = isRepeated
		? `Not sent again, since the first try may have been paid for: ${why}`
		: why;
	const description = sentences(doubtText(operation, named), said);
	return new ServiceError({ message, description, outcome: 'unknown', answer, status });
}

/** The job in an answer that had no known identifier, if the credential names its field by now. */
export function answeredJob(
	{ service }: Pick<JobContext, 'service'>,
	operation: CreateOperation,
	order: Order,
): Job | undefined {
	const doubt = doubtIn(order);
	const body = doubt && isAccepted(doubt) ? parseJson(doubt.answer ?? '') : undefined;
	return body === undefined ? undefined : jobInAnswer(service, operation, body, order.sentAt);
}
