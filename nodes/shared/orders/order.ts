import { createHash } from 'crypto';

import { type Advice, IN_DOUBT, JOB_FAILED, JOB_TO_READ, ofFree } from '../service/serviceError';
import { CREDITS_USED_FIELDS } from '../spec/answers';
import type { Job, NamedJob } from './job';
import { numberIn } from './readRecord';

/**
 * What a row has ordered: all that the package remembers about money, one record for each creation that was sent, or is
 * about to be. It is plain JSON in the execution (`getContext('node')`), and never has the key of the credential. What
 * the service has refused is not kept: nothing was charged for it.
 */
export interface Order {
	/** Tells two versions of one order from two orders. */
	id: string;
	/** Index of the node's run in its execution, and of the item. */
	run: number;
	row: number;
	/** The execution that has ordered it, and the one that last worked on it: if that is not this one, it is retried. */
	orderedIn: string;
	execution: string;
	/** Whose it is: fingerprint of the input item and of the fields as typed. An agent's tool has none. */
	source?: string;
	/** What was asked for: fingerprint of the request. */
	asks: string;
	started: Started;
	/** ms since 1970. */
	sentAt: number;
	outcome: Outcome;
	/** A person has asked for it anew: it stays paid for, and is named, but its row has another order. */
	isOver?: true;
	/** The execution in which an agent has got the result: the same call once more is a new order there. */
	handedOnIn?: string;
}

/** How a job was started, as far as texts and items tell it. */
export interface Started {
	/** Names of the operation in its table. */
	resource: string;
	operation: string;
	/** As a person knows the row. */
	prompt?: string;
	model?: string;
	/** The document says that it costs nothing. */
	isFree?: true;
}

export type Outcome =
	/** On its way. Whoever finds it so later cannot know the outcome: n8n has ended meanwhile. */
	| { state: 'sending' }
	/** The answer was lost, or names no job: one may have been made and paid for. */
	| Unknown
	/** Paid for. */
	| { state: 'running' | 'completed' | 'failed'; job: Job };

interface Unknown {
	state: 'unknown';
	/** In words. */
	why: string;
	/** What came in place of a readable answer; it may name the job in its own way. */
	answer?: string;
	/** HTTP status of what came, and what the service said. */
	status?: number;
	said?: string;
	/** Jobs of the history that may be it, of which a person was told; absent if the history could not be read. */
	mayBe?: NamedJob[];
	/** A retry has sent nothing, but told of such jobs: the next one is the person's decision. */
	wasTold?: true;
}

/** Whether the answer came with a status of success: then a job was made. */
export const isAccepted = ({ answer, status = 0 }: Pick<Unknown, 'answer' | 'status'>): boolean =>
	answer !== undefined && status >= 200 && status <= 299;

/** What became of an order that was being sent when n8n ended. */
export const KILLED: Unknown = {
	state: 'unknown',
	why: 'n8n ended while this job was being created; it may exist, and may have been paid for',
};

/** The job of an order, where it is known. */
export const jobOf = (order?: Order): Job | undefined =>
	order && 'job' in order.outcome ? order.outcome.job : undefined;

/** Why nobody knows whether there is a job, where that is so. */
export function doubtIn(order?: Order): Unknown | undefined {
	if (order?.outcome.state === 'sending') return KILLED;
	return order?.outcome.state === 'unknown' ? order.outcome : undefined;
}

const ADVICE: Record<Outcome['state'], Advice> = {
	sending: IN_DOUBT,
	unknown: IN_DOUBT,
	running: JOB_TO_READ,
	completed: JOB_TO_READ,
	failed: JOB_FAILED,
};

/**
 * What a row says about money if its order has no result.
 *
 * @param creditsUsed credits that the service has charged for the job, if it has said so since its creation; more than 0
 *   overrules the document
 */
export function adviceOf(
	order: Order,
	creditsUsed: unknown = numberIn(jobOf(order)?.creation ?? {}, CREDITS_USED_FIELDS),
): Advice {
	const advice = ADVICE[order.outcome.state];
	return order.started.isFree && !(Number(creditsUsed) > 0) ? ofFree(advice) : advice;
}

/** A hash that tells one JSON value from another without showing either. */
export function fingerprint(value: unknown): string {
	return createHash('sha256').update(JSON.stringify(value, inOrder)).digest('hex');
}

/** Sorts an object's properties: their order says nothing. */
function inOrder(_name: string, value: unknown): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	const entries = Object.entries(value);
	return Object.fromEntries(entries.sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** A row of the node's input; `asks` is absent while its request is not known. */
export type Asking = Pick<Order, 'row' | 'source'> & Partial<Pick<Order, 'asks'>>;

/**
 * Gives rows the orders that are theirs already (money rule 2), each order to one row:
 *
 * 1. a row that comes from the same input item, with the same fields typed: whatever `$now` or a random word makes of its
 *    request, it is the same order;
 * 2. else a row that asks for the same, since a person may have changed the node for other rows only.
 *
 * Of several items that are alike, the one in its place goes first: their requests may differ by their index. What is
 * left belongs to no row.
 *
 * @param orders the best first, where several are alike
 */
export function assign(orders: readonly Order[], rows: readonly Asking[]): Map<number, Order> {
	const own = new Map<number, Order>();
	const taken = new Set<Order>();
	for (const keyOf of SAME) {
		const free = new Map<string, Order[]>();
		for (const order of orders) {
			const key = keyOf(order);
			if (key === undefined || taken.has(order)) continue;
			const alike = free.get(key);
			if (alike) alike.push(order);
			else free.set(key, [order]);
		}
		for (const row of rows) {
			const key = own.has(row.row) ? undefined : keyOf(row);
			const order = key === undefined ? undefined : free.get(key)?.shift();
			if (!order) continue;
			own.set(row.row, order);
			taken.add(order);
		}
	}
	return own;
}

/**
 * The rows whose source tells whose an order is, though a person may have changed the list: no other row has it, and no two
 * orders. Of the others, only the request tells.
 */
export function ofSureSource(orders: readonly Order[], rows: readonly Asking[]): Asking[] {
	const isOnce = (list: ReadonlyArray<Pick<Asking, 'source'>>) => {
		const seen = new Map<string | undefined, number>();
		for (const { source } of list) seen.set(source, (seen.get(source) ?? 0) + 1);
		return ({ source }: Asking) => (seen.get(source) ?? 0) <= 1;
	};
	const [isOnceInRows, isOnceInOrders] = [isOnce(rows), isOnce(orders)];
	return rows.filter(
		(row) => row.source === undefined || (isOnceInRows(row) && isOnceInOrders(row)),
	);
}

/** What has to be the same, the surest first. */
const SAME: ReadonlyArray<(one: Asking) => string | undefined> = [
	({ source, row }) => source && `${source} ${row}`,
	({ source }) => source,
	({ asks }) => asks,
];

/** Keeps a value under a key; if there are more than `most`, the oldest is forgotten. */
export function keepLatest<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
	map.set(key, value);
	const [oldest] = map.keys();
	if (map.size > most && oldest !== undefined) map.delete(oldest);
}

/** How many identifiers are remembered. */
const REMEMBERED = 20_000;

/** Jobs of an account whose order is known: none may be named as that of another order, or count as somebody else's. */
export class Claims {
	private readonly ids = new Map<string, true>();

	add(id?: string): void {
		if (id !== undefined) keepLatest(this.ids, id, true, REMEMBERED);
	}

	has(id: string): boolean {
		return this.ids.has(id);
	}
}
