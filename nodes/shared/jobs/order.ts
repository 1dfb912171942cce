import { answerText, type NamedJob } from '../service/errorTexts';
import { type Advice, IN_DOUBT, JOB_FAILED, JOB_TO_READ } from '../service/retryAdvice';
import { FAILED, type JobState } from '../spec/answers';
import { nameOf, type Job } from './job';

/**
 * What an item has ordered, as the ledger keeps it. An order that is planned, or was refused, is not in it: nothing is
 * paid for. Nor is one that is being sent: only a durable run stores that, as an intent (`WorkState.intents`).
 */
export type Order = OrderFacts & Ordered;

/** What is known of what became of an order. */
export type OrderFacts = Running | Ended | InDoubt;

/** Its job was created, and runs as far as is known. */
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

/** The answer to its creation was lost, or names no job: one may have been made, and may have been paid for. */
export interface InDoubt {
	state: 'inDoubt';
	/** Why, in words. */
	unknownOutcome: string;
	/** What of the creation can be looked for. */
	sent?: Sent;
	/** Jobs of the history that may be its job: a person has been told of them, or that there are none. */
	candidates?: NamedJob[];
	/** What came in place of a readable answer; it may name the job in its own way. */
	answer?: string;
	/** That came with a status of success: a job was made. */
	isAccepted?: boolean;
}

/** A creation, as far as it can be looked for in the history. */
export interface Sent {
	/** ms since 1970. */
	at: number;
	prompt: unknown;
	/** How the clock was set then (`settingOf`). */
	clockSetting?: number;
}

/** By whom and for what an order was made. */
export interface OrderedBy {
	/** The execution that was last at work on it. */
	executionId?: string;
	/** Fingerprints of the request, and of the node's parameters as typed. */
	request?: string;
	parameters?: string;
}

interface Ordered extends OrderedBy {
	/** Earlier orders of the same item that a person has replaced: they stay paid for. */
	replaced?: Replaced[];
	/** The run of an agent's tool that has handed on the result. */
	closedBy?: number;
}

/** The names of a job, or why it is not known whether there is one. */
type Replaced = { job: string } | { unknownOutcome: string };

/** What happens to an order. */
export type OrderEvent =
	/** The service has answered its creation with a job. */
	| { kind: 'created'; job: Job }
	/** Its creation has no answer, or none that names a job. */
	| ({ kind: 'lost' } & Omit<InDoubt, 'state'>)
	/** It was found where the state of its job is read, and under which identifier. */
	| { kind: 'located'; job: Job }
	/** Its job was seen to have ended. */
	| { kind: 'ended'; job: Job; as: JobState }
	/** The answer to its creation names this job of the history. */
	| { kind: 'named'; job: Job }
	/** The history was read, and does not tell which job is its. */
	| { kind: 'searched'; candidates: NamedJob[] };

/** An order that is not in the ledger. */
const PLANNED = 'planned';

const ANY = [PLANNED, 'running', 'ended', 'inDoubt'] as const;

/** From what an event leads to what; a person may order anew, whatever became of the order before. */
const TRANSITIONS = {
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
 * What becomes of an order. Whatever it takes the place of stays named, unless it is the same creation.
 *
 * @param before `undefined` where it is not in the ledger
 * @throws Error where the event cannot happen to such an order
 */
export function orderAfter(before: Order | undefined, event: OrderEvent, by: OrderedBy): Order {
	const from: readonly string[] = TRANSITIONS[event.kind].from;
	const state = before?.state ?? PLANNED;
	if (!from.includes(state)) throw new Error(`An order that is ${state} cannot be ${event.kind}`);
	const replaced = replacedAfter(before, event);
	return { ...factsAfter(before, event, by), ...(replaced.length > 0 && { replaced }) };
}

function factsAfter(before: Order | undefined, event: OrderEvent, by: OrderedBy): Order {
	// As sent: who waits for a job that is paid for has ordered nothing, and names no files any more.
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
			// As ordered: who reads the history later has not ordered anything.
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

/** What is found out about a creation is about the same one, whatever its job is called. */
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

/** What an item says of money whose order has not come to a result. */
export function adviceOf(order: OrderFacts): Advice {
	if (order.state === 'inDoubt') return IN_DOUBT;
	return hasFailed(order) ? JOB_FAILED : JOB_TO_READ;
}

/** What is known of an order whose outcome is not. */
export function doubtIn(order: OrderFacts | undefined): InDoubt | undefined {
	return order?.state === 'inDoubt' ? order : undefined;
}

/** The doubt that an item has been left in by its order, or by one that a person has replaced since. */
export function doubtEverIn(order: Order | undefined): InDoubt | undefined {
	const replaced = order?.replaced?.find((one) => 'unknownOutcome' in one);
	return doubtIn(order) ?? (replaced && { state: 'inDoubt', ...replaced });
}
