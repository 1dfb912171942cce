import { randomUUID } from 'crypto';
import type { IDataObject, IRunExecutionData } from 'n8n-workflow';

import {
	type Claims,
	keepLatest,
	assign,
	ofSureSource,
	type Asking,
	jobOf,
	KILLED,
	type Order,
	type Outcome,
} from './order';

/** Key of the node's memory (`getContext('node')`), which n8n stores with the execution. */
export const ORDERS = 'mediaGenOrders';

/** Version of the stored form; orders of another version are not read. */
const VERSION = 1;

/** Of what another version has stored, only the jobs can be told. */
function otherVersion(stored: object): Error {
	const ids = [...JSON.stringify(stored).matchAll(/"job":\{"id":"([^"]+)"/g)].map(([, id]) => id);
	return new Error(
		`Another version of this package has paid for jobs in this execution: ${ids.join(', ') || 'see Job > Get History'}. This version starts nothing: read them with Job > Get Status. A new run pays for all rows again`,
	);
}

interface Kept {
	version: number;
	/** The workflow whose node it is: n8n lets a node read the executions of everybody. */
	workflow: string;
	list: Order[];
	/** When a run last ended that knew of all orders, ms since 1970: a later one may have been killed. */
	until?: number;
	/** The execution that has ordered nothing, but told a person of jobs of the history: its other tries do the same. */
	toldIn?: string;
}

/** Until when a node remembers all that it has ordered, ms since 1970; `undefined` where it remembers nothing. */
export const knownUntil = (memory?: IDataObject): number | undefined =>
	(memory?.[ORDERS] as Kept | undefined)?.until;

/** The orders that a node remembers. */
export function ordersIn(memory: IDataObject): Order[] {
	const kept = memory[ORDERS] as Kept | undefined;
	return kept?.version === VERSION ? kept.list : [];
}

/** Forgets what was about to be sent, and was not. */
export function dropSending(memory: IDataObject): void {
	const list = ordersIn(memory);
	const left = list.filter(({ outcome }) => outcome.state !== 'sending');
	list.splice(0, Infinity, ...left);
}

/** What a node remembers of its orders, in the form in which n8n stores it. */
export function memoryOf(workflow: string, list: Order[]): IDataObject {
	const kept: Kept = { version: VERSION, workflow, list };
	return { [ORDERS]: kept as object as IDataObject };
}

/** The orders that the nodes of an execution remember, if it is of that workflow. */
export function storedOrders(data: IRunExecutionData | undefined, workflow: string) {
	return Object.entries(data?.executionData?.contextData ?? {}).flatMap(([key, memory]) => {
		const kept = memory[ORDERS] as object as Kept | undefined;
		const isRead = kept?.workflow === workflow && kept.version === VERSION;
		const node = key.slice('node:'.length);
		return isRead ? kept.list.map((order) => ({ node, order })) : [];
	});
}

/** A run of a node, or a round of a durable one. */
export interface RunOfNode {
	execution: string;
	workflow: string;
	/** Index of the run: a loop makes several. */
	run: number;
	/** A person has retried an earlier execution, or lets this one continue it. */
	isRetry: boolean;
	/** n8n gives each call of an agent's tool a run, so its orders count in all of them, and are known by their requests. */
	isTool: boolean;
	/** The same for runs that go on with each other's orders: retries of one execution, or the same call made again. */
	lineage: string;
	/** Another workflow has called this one. */
	isCalled: boolean;
	/** The orders of the execution that this one continues. */
	continued?: readonly Order[];
	/** This run itself has noted orders that are still to be sent (durable). */
	hasNoted?: boolean;
}

/** Orders of runs that go on with each other's, as long as n8n runs: it stores them only with their own execution. */
export type Pool = Map<string, Order[]>;

/** How many lineages are remembered: n8n retries a node at once, and a person within hours. */
const MOST_LINEAGES = 200;

/** Orders that calls of an agent's tool are working on. */
const inUse = new WeakSet<Order>();

/**
 * The orders of a run: what its rows have ordered, now or in an earlier try, so that a node that runs again waits for what
 * is paid for and pays for nothing twice (money rule 2). None is forgotten at the end of a run: n8n may rerun a node that
 * has succeeded. The next run of the node drops what the runs before it had.
 */
export class Orders {
	private readonly kept: Order[];

	private readonly own = new Map<number, Order>();

	private readonly sources = new Map<number, string>();

	/** What a person has asked for anew, and its row. */
	private readonly earlier = new Map<Order, number>();

	/** When the memory was last complete, ms since 1970. */
	readonly knownUntil?: number;

	/** A person retries, and a later try than that may have been killed: what it has ordered is remembered nowhere. */
	isUnknown: boolean;

	/**
	 * @param memory the node's own part of the execution data
	 * @throws Error if another version of the package has written it
	 */
	constructor(
		private readonly memory: IDataObject,
		private readonly of: RunOfNode,
		private readonly account: { pool: Pool; claims: Claims },
	) {
		const { pool, claims } = account;
		const stored = memory[ORDERS] as Partial<Kept> | undefined;
		if (stored && stored.version !== VERSION) throw otherVersion(stored);
		const { toldIn } = stored ?? {};
		// A retry that has ended in this process has looked.
		this.isUnknown = of.isRetry && (toldIn ? toldIn === of.execution : !pool.has(of.lineage));
		this.knownUntil = stored?.until;
		if (!stored) Object.assign(memory, memoryOf(of.workflow, []));
		this.kept = ordersIn(memory);
		const isOfRun = ({ run }: Order) => of.isTool || run === of.run;
		const own = this.kept.filter(isOfRun);
		const others = [...(of.continued ?? []), ...(pool.get(of.lineage) ?? [])];
		// In place: other calls of a tool have the same list.
		this.kept.splice(0, Infinity, ...merged(own, others.filter(isOfRun)));
		// Of two calls at once, one gets them.
		if (of.isCalled) pool.delete(of.lineage);
		for (const order of this.kept) {
			const isLost = order.outcome.state === 'sending' && !of.hasNoted && !inUse.has(order);
			if (isLost) order.outcome = KILLED;
			// A failed job is ordered anew when a person retries.
			if (order.outcome.state === 'failed' && this.isByPerson(order)) this.markOver(order);
			claims.add(jobOf(order)?.id);
		}
	}

	/** Such orders were looked for. @param isTold this execution orders nothing, and tells what may be one */
	noteLooked(isTold: boolean): void {
		this.isUnknown = false;
		if (isTold) (this.memory[ORDERS] as object as Kept).toldIn = this.of.execution;
	}

	/** Which run of the node this is. */
	get run(): number {
		return this.of.run;
	}

	/** All that was ordered, row by row. */
	get all(): Order[] {
		return [...this.kept].sort((one, other) => one.row - other.row);
	}

	/** Finds the rows' orders; once more, for those without, when their requests are known. */
	match(rows: readonly Asking[]): void {
		for (const { row, source } of rows) if (source !== undefined) this.sources.set(row, source);
		const taken = new Set(this.own.values());
		const isOpen = (order: Order) => !order.isOver && !taken.has(order) && this.isFree(order);
		const free = this.kept.filter(isOpen).sort(latestFirst);
		const open = rows.filter(({ row }) => !this.own.has(row));
		const sure = this.of.continued ? ofSureSource(free, open) : open;
		for (const [row, order] of assign(free, sure)) {
			Object.assign(order, { row, source: this.sources.get(row) });
			this.take(order);
		}
		for (const order of this.kept.filter(({ isOver }) => isOver)) {
			const isLeft = !this.earlier.has(order) && this.isFree(order);
			const [row] = isLeft ? assign([order], rows).keys() : [];
			if (row !== undefined) this.earlier.set(order, row);
		}
	}

	/** The row's order; one of unknown outcome counts, until a person asks anew. */
	find(row: number): Order | undefined {
		return this.own.get(row);
	}

	/** Notes what a row is about to order. What it takes the place of stays, as an order that no row has. */
	begin(row: number, ordered: Pick<Order, 'asks' | 'started' | 'sentAt'>): Order {
		const { run, execution } = this.of;
		const order: Order = {
			id: randomUUID(),
			run,
			row,
			orderedIn: execution,
			execution,
			source: this.sources.get(row),
			...ordered,
			outcome: { state: 'sending' },
		};
		this.kept.push(order);
		this.take(order);
		return order;
	}

	/** A person asks for it anew. */
	giveUp(order: Order): void {
		this.markOver(order);
		this.earlier.set(order, order.row);
		this.own.delete(order.row);
		inUse.delete(order);
	}

	settle(order: Order, outcome: Outcome): void {
		Object.assign(order, { outcome, execution: this.of.execution });
		this.account.claims.add(jobOf(order)?.id);
	}

	/** The service has refused it, or it was not sent: nothing was charged. */
	drop(order: Order): void {
		this.kept.splice(this.kept.indexOf(order), 1);
		this.own.delete(order.row);
	}

	/** Earlier orders of a row that a person has asked for anew: they stay paid for. */
	earlierOf(row: number): Order[] {
		return [...this.earlier].flatMap(([order, own]) => (own === row ? [order] : []));
	}

	/** What was ordered for no row of this run: its row is gone, or asks for something else. Not known for tools. */
	get rest(): Order[] {
		const own = new Set(this.own.values());
		const isOfRow = (order: Order) => own.has(order) || this.earlier.has(order);
		return this.of.isTool ? [] : this.kept.filter((order) => !isOfRow(order));
	}

	/** Whether a person has retried the execution that last worked on the order. */
	isByPerson({ execution }: Order): boolean {
		return this.of.isRetry && execution !== this.of.execution;
	}

	/**
	 * To be called when the run is over.
	 *
	 * @param isHandedOn whether it has given out all results
	 * @param now ms since 1970
	 */
	close(isHandedOn: boolean, now: number): void {
		const { isTool, isCalled, isRetry, lineage, execution } = this.of;
		const { pool } = this.account;
		for (const order of this.own.values()) {
			inUse.delete(order);
			if (isTool && isHandedOn) order.handedOnIn = execution;
		}
		// It has ended before it could look: the next one has to.
		if (this.isUnknown) return;
		const kept = this.memory[ORDERS] as object as Kept;
		if (kept.toldIn !== execution) Object.assign(kept, { until: now, toldIn: undefined });
		// Of any other execution, n8n stores what a retry needs.
		if (!isCalled && !isRetry) return;
		const ids = new Set(this.kept.map(({ id }) => id));
		const others = (pool.get(lineage) ?? []).filter(({ id }) => !ids.has(id));
		// The same call after a success is another order.
		const own = isCalled && isHandedOn ? [] : structuredClone(this.kept);
		// Calls that leave nothing must not drive out those that do.
		if (isCalled && own.length + others.length === 0) return;
		pool.delete(lineage);
		keepLatest(pool, lineage, [...others, ...own], MOST_LINEAGES);
	}

	/** This execution has decided it: of two versions of an order, that of the later execution counts. */
	private markOver(order: Order): void {
		Object.assign(order, { isOver: true, execution: this.of.execution });
	}

	private take(order: Order): void {
		this.own.set(order.row, order);
		if (this.of.isTool) inUse.add(order);
	}

	/** What another execution was handed is not over: this one retries it, and starts with none of it. */
	private isFree(order: Order): boolean {
		return !inUse.has(order) && order.handedOnIn !== this.of.execution;
	}
}

/** Of orders that are alike, those of later executions go first: n8n numbers them. */
const latestFirst = (one: Order, other: Order) => Number(other.execution) - Number(one.execution);

/** The orders of both; of two versions of one, that of the later execution. */
function merged(own: readonly Order[], pooled: readonly Order[]): Order[] {
	const byId = new Map(own.map((order) => [order.id, order]));
	for (const order of pooled) {
		const known = byId.get(order.id);
		const isLater = !known || Number(order.execution) > Number(known.execution);
		if (isLater) byId.set(order.id, structuredClone(order));
	}
	return [...byId.values()];
}
