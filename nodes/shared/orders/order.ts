import { answerText, type NamedJob } from '../service/errorTexts';
import { type Advice, IN_DOUBT, JOB_FAILED, JOB_TO_READ } from '../service/retryAdvice';
import { FAILED, type JobState } from '../spec/answers';
import { nameOf, type Job } from './job';

/**
 * What an item has ordered, as the ledger keeps it. A planned or refused order is not in the ledger: nothing was paid
 * for.
 */
export type Order = OrderFacts & Ordered;

/** What is known about the outcome of an order. */
export type OrderFacts = Sending | Running | Ended | InDoubt;

/**
 * Its creation is about to be sent: a durable run notes that first. Whoever finds it so without having noted it itself
 * cannot know the outcome, since n8n has ended meanwhile.
 */
interface Sending {
	state: 'sending';
	sent: Sent;
	/** The item's order until then, which counts again if this one is not sent after all. */
	before?: Order;
}

/** Its job was created and, as far as is known, is running. */
interface Running {
	state: 'running';
	job: Job;
}

/** Its job was seen to have ended. */
interface Ended {
	state: 'ended';
	job: Job;
	ended: JobState;
}

/** The answer to its creation was lost, or names no job: one may have been made and paid for. */
export interface InDoubt {
	state: 'inDoubt';
	/** Why the outcome is unknown, in words. */
	unknownOutcome: string;
	/** What the history can be searched for. */
	sent?: Sent;
	/** Jobs in the history that may be this order's; a person has been told of them, or that there are none. */
	candidates?: NamedJob[];
	/** What came in place of a readable answer; it may name the job in its own way. */
	answer?: string;
	/** The answer came with a status of success: a job was made. */
	isAccepted?: boolean;
}

/** What is known about a creation for which the history can be searched. */
export interface Sent {
	/** ms since 1970. */
	at: number;
	prompt: unknown;
}

/** By whom and for what an order was made. */
export interface OrderedBy {
	/** The execution that last worked on it. */
	executionId?: string;
	/** Fingerprints of the request, and of the node's parameters as typed. */
	request?: string;
	parameters?: string;
}

interface Ordered extends OrderedBy {
	/** Earlier orders of the same item that a person has replaced: they are still paid for. */
	replaced?: Replaced[];
	/** Index of the run of an agent's tool that has handed on the result. */
	closedBy?: number;
}

/** The names of a job, or why it is not known whether there is one. */
type Replaced = { job: string } | { unknownOutcome: string };

/** What happens to an order. */
export type OrderEvent =
	/** Its creation is about to be sent. */
	| { kind: 'sending'; sent: Sent }
	/** The service has answered its creation with a job. */
	| { kind: 'created'; job: Job }
	/** Its creation has no answer, or none that names a job. */
	| ({ kind: 'lost' } & Omit<InDoubt, 'state'>)
	/** It was found out where the state of its job is read, and under which identifier. */
	| { kind: 'located'; job: Job }
	/** Its job was seen to have ended. */
	| { kind: 'ended'; job: Job; as: JobState }
	/** The answer to its creation names this job, in a field that the credential tells by now. */
	| { kind: 'named'; job: Job }
	/** The history was read, but does not tell which job is the order's. */
	| { kind: 'searched'; candidates: NamedJob[] };

/** The state of an order that is not in the ledger. */
const PLANNED = 'planned';

const ANY = [PLANNED, 'sending', 'running', 'ended', 'inDoubt'] as const;

/** The states in which each event can happen, and the state it leads to; a person may order anew from any state. */
const TRANSITIONS = {
	sending: { from: ANY, to: 'sending' },
	created: { from: ANY, to: 'running' },
	lost: { from: ANY, to: 'inDoubt' },
	located: { from: ['running'], to: 'running' },
	ended: { from: ['running', 'ended'], to: 'ended' },
	named: { from: ['inDoubt'], to: 'running' },
	searched: { from: ['inDoubt'], to: 'inDoubt' },
} as const satisfies Record<
	OrderEvent['kind'],
	{ from: ReadonlyArray<(typeof ANY)[number]>; to: Order['state'] }
>;

/**
 * The order as it is after an event. What it replaces is kept in `replaced`, unless it is the same creation.
 *
 * @param before `undefined` if the order is not in the ledger
 * @throws Error if the event cannot happen to such an order
 */
export function orderAfter(before: Order | undefined, event: OrderEvent, by: OrderedBy): Order {
	const from: readonly string[] = TRANSITIONS[event.kind].from;
	const state = before?.state ?? PLANNED;
	if (!from.includes(state)) throw new Error(`An order that is ${state} cannot be ${event.kind}`);
	const earlier = before?.state === 'sending' ? before.before : before;
	if (event.kind === 'sending') {
		return { state: 'sending', sent: event.sent, ...by, ...(earlier && { before: earlier }) };
	}
	const replaced = replacedAfter(earlier, event);
	return { ...factsAfter(earlier, event, by), ...(replaced.length > 0 && { replaced }) };
}

function factsAfter(
	before: Order | undefined,
	event: Exclude<OrderEvent, { kind: 'sending' }>,
	by: OrderedBy,
): Order {
	// The request as sent: a run that only waits for a paid job orders nothing, and does not read its files.
	const { request = by.request } = before ?? {};
	switch (event.kind) {
		case 'created':
			return { state: TRANSITIONS.created.to, job: event.job, ...by };
		case 'located':
			return { state: TRANSITIONS.located.to, job: event.job, ...by, request };
		case 'ended':
			return { state: TRANSITIONS.ended.to, job: event.job, ended: event.as, ...by, request };
		case 'lost': {
			const { kind, ...doubt } = event;
			return { state: TRANSITIONS[kind].to, ...doubt, ...by };
		}
		case 'named': {
			// As ordered: the run that reads the history later has not ordered anything.
			const { executionId, parameters } = before ?? {};
			return { state: TRANSITIONS.named.to, job: event.job, executionId, request, parameters };
		}
		case 'searched':
			return {
				...(before as Order & InDoubt),
				candidates: event.candidates,
				executionId: by.executionId,
			};
	}
}

/** Events that tell more about the same creation, even if its job has another identifier now. */
const ABOUT_SAME: ReadonlyArray<OrderEvent['kind']> = ['located', 'named', 'searched'];

function replacedAfter(before: Order | undefined, event: OrderEvent): Replaced[] {
	const { replaced = [] } = before ?? {};
	const job = jobOf(before);
	const isOfSame = 'job' in event && event.job.id === job?.id;
	if (!before || isOfSame || ABOUT_SAME.includes(event.kind)) return replaced;
	if (job) return [...replaced, { job: nameOf(job) }];
	const { unknownOutcome = '', answer } = doubtIn(before) ?? {};
	const told = [unknownOutcome, answerText(answer)].filter(Boolean).join('. ');
	return [...replaced, { unknownOutcome: told }];
}

/** The job of an order, where it is known. */
export function jobOf(order: OrderFacts | undefined): Job | undefined {
	return order && 'job' in order ? order.job : undefined;
}

/** Whether its job was seen to have failed. */
export const hasFailed = (order: OrderFacts | undefined): boolean =>
	order?.state === 'ended' && order.ended === FAILED;

/** Whether it has a job that may still have a result, or has one. */
export const isGood = (order: OrderFacts | undefined): boolean =>
	jobOf(order) !== undefined && !hasFailed(order);

/** What an item says about the money if its order has no result. */
export function adviceOf(order: OrderFacts): Advice {
	if (doubtIn(order)) return IN_DOUBT;
	return hasFailed(order) ? JOB_FAILED : JOB_TO_READ;
}

/** Why nobody knows what became of an order that was about to be sent when n8n ended. */
const ENDED_WHILE_SENDING =
	'n8n ended while this job was being created; it may exist, and may have been paid for';

/** What is known of an order whose outcome is unknown, as that of one is that somebody else was about to send. */
export function doubtIn(order: OrderFacts | undefined): InDoubt | undefined {
	if (order?.state === 'sending')
		return { state: 'inDoubt', unknownOutcome: ENDED_WHILE_SENDING, sent: order.sent };
	return order?.state === 'inDoubt' ? order : undefined;
}

/** The doubt about an item's order, or about an earlier one that a person has replaced since. */
export function doubtEverIn(order: Order | undefined): InDoubt | undefined {
	const replaced = order?.replaced?.find((one) => 'unknownOutcome' in one);
	return doubtIn(order) ?? (replaced && { state: 'inDoubt', ...replaced });
}
