import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import { identityOf, type ServiceRequest } from '../service/request';
import type { Job } from './job';
import { jobOf, orderAfter, type Order, type OrderedBy, type OrderEvent } from './order';

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

/** The name under which a node keeps its ledger in its context. */
export const LEDGER = 'mediaGenJobs';

/** Version of the stored form; a ledger of another version is not read. */
const VERSION = 1;

interface Kept {
	version: number;
	/** Keyed by run and item; for an agent's tool, by request. */
	entries: Record<string, Order>;
}

/** The ledger that a node has kept (`getContext('node')`). */
export function entriesIn(context: IDataObject): Record<string, Order> {
	return (context[LEDGER] as Kept | undefined)?.entries ?? {};
}

/** The IDs of the paid jobs in a ledger that a node has kept. */
export const paidIdsIn = (context: IDataObject): string[] =>
	Object.values(entriesIn(context)).flatMap((order) => jobOf(order)?.id ?? []);

/** The orders of a run by item. Not for tools. */
export function ordersIn(entries: Record<string, Order>): Map<number, Order> {
	const all = Object.entries(entries);
	return new Map(all.map(([key, order]) => [Number(key.split(':')[1]), order]));
}

/**
 * The orders that belong to no row; none of a tool, whose orders are known by their requests.
 *
 * @param rows how many there are
 */
export const unaskedIn = (entries: Record<string, Order>, rows: number): Order[] =>
	[...ordersIn(entries)].flatMap(([item, order]) => (item < 0 || item >= rows ? [order] : []));

/** The entries in the form in which a node keeps them. */
export function ledgerOf(entries: Record<string, Order>): IDataObject {
	const kept: Kept = { version: VERSION, entries };
	return { [LEDGER]: kept as object as IDataObject };
}

/** A run of a node. */
interface LedgerRun {
	/** Which run of the node in its execution this is; in a loop there are several. */
	index: number;
	/**
	 * Set for an agent's tool. n8n gives each try of a call a run of its own, and two calls at once may have the same
	 * run, so an order is known by its request alone.
	 */
	isTool?: boolean;
	executionId?: string;
}

/**
 * Remembers what the items of a run have ordered, in the execution itself, so that a node that runs again (*Retry On
 * Fail*, *Retry execution*) waits for the jobs that are paid for and does not pay twice (money rules 2 and 6). Holds
 * identifiers and answers of the service, never the key of the credential.
 *
 * No job is forgotten at the end of a run: n8n may rerun a node that has succeeded if its first item has a field
 * `error`. The next run of the node drops what the runs before it had.
 */
export class Ledger {
	private readonly entries: Record<string, Order>;

	/** Keys of the orders that this run has asked for. */
	private readonly asked = new Set<string>();

	/**
	 * @param context the node's own part of the execution data (`getContext('node')`)
	 * @throws UnknownLedger if another version of the package has written it
	 */
	constructor(
		context: IDataObject,
		private readonly run: LedgerRun,
	) {
		const kept = context[LEDGER] as Partial<Kept> | undefined;
		if (kept && kept.version !== VERSION) throw new UnknownLedger(kept);
		if (!kept) Object.assign(context, ledgerOf({}));
		this.entries = entriesIn(context);
		// Deleted in place: another ledger of this run may hold the same entries.
		for (const key of Object.keys(this.entries)) if (!this.isOfRun(key)) delete this.entries[key];
	}

	/** Which run of the node this is. */
	get runIndex(): number {
		return this.run.index;
	}

	/** All jobs in the ledger. */
	get jobs(): Job[] {
		return Object.values(this.entries).flatMap((order) => jobOf(order) ?? []);
	}

	/** @param request tells the orders of an agent's tool apart; elsewhere the item does */
	find(itemIndex: number, request?: ServiceRequest): Order | undefined {
		const entry = this.entries[this.key(itemIndex, request)];
		return entry && this.isOver(entry) ? undefined : entry;
	}

	/** @throws Error where the event cannot happen to the order (`orderAfter`) */
	remember(itemIndex: number, request: ServiceRequest, event: OrderEvent, by: OrderedBy): void {
		const before = this.find(itemIndex, request);
		this.entries[this.key(itemIndex, request)] = orderAfter(before, event, by);
	}

	/** Forgets that an order was about to be sent: it was not, or the service has refused it. Not for tools. */
	takeBack(itemIndex: number): void {
		const key = this.key(itemIndex);
		const order = this.entries[key];
		if (order?.state !== 'sending') return;
		if (order.before) this.entries[key] = order.before;
		else delete this.entries[key];
	}

	/** Gives an item the order of another execution. Not for tools. */
	takeOver(itemIndex: number, order: Order): void {
		this.entries[this.key(itemIndex)] = order;
	}

	/** The orders of the run by item. Not for tools. */
	get orders(): Map<number, Order> {
		return ordersIn(this.entries);
	}

	/** The orders that belong to none of the rows. @param rows how many there are */
	unasked(rows: number): Order[] {
		return unaskedIn(this.entries, rows);
	}

	/** Gives orders to other items. An order that must make room, and has no new item, is kept under a negative index. */
	move(places: ReadonlyMap<number, number>): void {
		const { orders } = this;
		let free = Math.min(0, ...orders.keys());
		const all = new Map(places);
		for (const to of places.values()) if (orders.has(to) && !all.has(to)) all.set(to, --free);
		const keyOf = (itemIndex: number) => `${this.run.index}:${itemIndex}`;
		for (const from of all.keys()) delete this.entries[keyOf(from)];
		for (const [from, to] of all) this.entries[keyOf(to)] = orders.get(from) as Order;
	}

	/** To be called when the run's results have been handed on: the same call of an agent is then a new order. */
	close(): void {
		for (const key of this.asked) {
			const entry = this.entries[key];
			const { isTool, index, executionId } = this.run;
			if (entry && isTool) Object.assign(entry, { closedBy: index, executionId });
		}
	}

	/** To be called when the run is over, whatever its outcome: a retry of the same call may then have its orders. */
	leave(): void {
		for (const key of this.asked) inUse.get(this.entries)?.delete(key);
	}

	private key(itemIndex: number, request?: ServiceRequest): string {
		const { index, isTool } = this.run;
		const key = isTool ? this.toolKey(request) : `${index}:${itemIndex}`;
		this.asked.add(key);
		return key;
	}

	/**
	 * Gives each of several equal calls an order of its own: first one that an earlier try has left. None takes the place
	 * of another, since a retry of the execution asks for all of them again.
	 */
	private toolKey(request?: ServiceRequest): string {
		const base = `${TOOL}${request ? fingerprint(identityOf(request)) : ''}#`;
		const holders = inUse.get(this.entries) ?? new Map<string, Ledger>();
		inUse.set(this.entries, holders);
		for (const [name, by] of holders) if (by === this && name.startsWith(base)) return name;
		const names = Object.keys(this.entries).filter((name) => name.startsWith(base));
		const left = names.find((name) => !holders.has(name) && !this.isOver(this.entries[name]!));
		let number = names.length;
		while (holders.has(base + number) || this.entries[base + number]) number++;
		const key = left ?? base + number;
		holders.set(key, this);
		return key;
	}

	/** What another execution was handed is not over: this one retries it, and starts with none of it. */
	private isOver({ closedBy, executionId }: Order): boolean {
		const isOwn = executionId === this.run.executionId;
		return isOwn && closedBy !== undefined && closedBy !== this.run.index;
	}

	private isOfRun(key: string): boolean {
		return this.run.isTool ? key.startsWith(TOOL) : key.startsWith(`${this.run.index}:`);
	}
}

const TOOL = 'tool:';

/** Orders that runs of an agent's tool are working on, by the `entries` that these runs share. */
const inUse = new WeakMap<object, Map<string, Ledger>>();

/** The orders that an entry has replaced, in words; empty when there are none. */
export function replacedText(entry: Order | undefined): string {
	const { replaced = [] } = entry ?? {};
	const jobs = replaced.flatMap((one) => ('job' in one ? [one.job] : []));
	const unknown = replaced.flatMap((one) => ('unknownOutcome' in one ? [one.unknownOutcome] : []));
	const stays =
		jobs.length > 1
			? 'earlier jobs of this item were charged, too: jobs'
			: 'an earlier job of this item was charged, too: job';
	return [
		...(jobs.length > 0 ? [`${stays} ${jobs.join(', ')}`] : []),
		...unknown.map(
			(unknownOutcome) => `an earlier creation may also have been paid for (${unknownOutcome})`,
		),
	].join('; ');
}

/** The ledger of another version of the package: what it has paid for must not be paid for again. */
export class UnknownLedger extends Error {
	readonly description: string;

	constructor(kept: unknown) {
		super('Another version of this package has started jobs in this execution');
		this.name = 'UnknownLedger';
		const ids = [...JSON.stringify(kept).matchAll(/"job":\{"id":"([^"]+)"/g)].map(([, id]) => id);
		this.description = [
			'This version cannot read what the other remembers, and starts nothing, so that nothing is paid for twice.',
			ids.length > 0 ? `Paid for: jobs ${ids.join(', ')}.` : '',
			'Read the jobs that are paid for with Job > Get Status. A new run pays for all items again.',
		]
			.filter(Boolean)
			.join(' ');
	}
}
