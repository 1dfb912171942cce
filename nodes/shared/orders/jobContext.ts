import { type AccountLimits, limitsOf, perAccount } from '../account/account';
import type { Looker } from '../account/looks';
import type { Place } from '../account/places';
import { type Clock, attempt, type Attempt, callLimit, type CallLimit } from '../clock/clock';
import type { ServiceRequest, Service } from '../service/service';
import type { Values } from '../spec/values';
import type { CreateOperation } from '../spec/operation';
import { type ShownResult, ShownResults } from './history';
import type { Job, JobSnapshot } from './job';
import { Claims, type Order } from './order';
import type { Orders, Pool } from './orders';

/** What a run needs to follow a job. */
export interface Follower extends Looker {
	service: Service;
	account: Account;
	clock: Clock;
	/** Fires when the jobs are to be left alone: by Stop, or at the end of a round of a durable run. */
	signal?: AbortSignal;
}

/** What all runs of an account share in this process. */
export interface Account {
	limits: AccountLimits;
	/** When entries of the history stand for records. */
	shownResults: ShownResults;
	/** Jobs whose order is known. */
	claims: Claims;
	/** Orders of runs that go on with each other's. */
	pool: Pool;
	/** Names of the places where jobs are read whose status path is not documented, by family. */
	statusPlaces: Map<string, string>;
	/** One job of a family searches for that at a time: the first finds out for all. */
	searches: Map<string, CallLimit>;
}

/** @param id of the account, as the service door gives it */
export const accountOf = perAccount((clock, id): Account => {
	return {
		limits: limitsOf(id, clock),
		claims: new Claims(),
		shownResults: new ShownResults(),
		pool: new Map(),
		statusPlaces: new Map(),
		searches: new Map(),
	};
});

/** What the jobs of one run of a node share. */
export interface JobContext extends Follower {
	orders: Orders;
	/** ms since 1970. */
	startedAt: number;
	/** How long a job that is left holds its place, in ms, where that is not until such jobs have ended. */
	leftMs?: number;
	/** Fires when no more jobs are to be started. */
	stopCreating: AbortSignal;
	/** To be called when an item has failed, before its place is given back: no other item may be wanted in it then. */
	onItemFailed: () => void;
	/** Called when a job has been created, and its order says so. */
	onCreated?: () => void;
}

/** One job to be done. */
export interface JobSpec {
	itemIndex: number;
	/** What was ordered, where that is known already; else what its row has ordered counts. */
	order?: Order;
	operation: CreateOperation;
	values: Values;
	request: ServiceRequest;
	/** What its order notes of it. */
	noted: Pick<Order, 'asks' | 'started'>;
	/** Whether to wait for its end. */
	wait: boolean;
	/** How long after the job's creation, or after `since`, waiting ends, ms. */
	timeoutMs: number;
	/** When the time to wait begins anew, ms since 1970, for a job that was ordered before. */
	since?: number;
	/** How long reads go on after the time is up, ms, as long as none is answered. */
	graceMs?: number;
	/** How many jobs of this run may be running at once. */
	maxRunning: number;
	/** Reads the job's result; absent if its own status is to be read, whatever the history shows. */
	resultIn?: (job: Job, seen: JobSnapshot) => ShownResult | undefined;
	/** A job that has failed or taken too long is given out as an item, and is no error. */
	failuresAreItems: boolean;
}

/** A job, and what was last seen of it. */
export interface JobResult {
	job: Job;
	snapshot: JobSnapshot;
	/** A hint that says how such jobs are read, if that was found out with this one. */
	foundHint?: string;
}

/** A job of this run, created now or by an earlier try. */
export interface CreatedJob {
	job: Job;
	/** The place of a job that may be running. */
	place?: Place;
}

/** What became of one item. */
export type Settled<T> = Attempt<T> | { skipped: true };

/** Thrown by work that was not begun, because the batch begins nothing more. */
export class NotStarted extends Error {}

/** The items of a run, worked on several at a time. */
export class Batch {
	private readonly end = new AbortController();

	/** @param continueOnFail whether further items are begun after one has failed */
	constructor(private readonly continueOnFail: boolean) {}

	/** Fires when no more items are to be begun. */
	get stopCreating(): AbortSignal {
		return this.end.signal;
	}

	/**
	 * Reports that an item has failed: unless the others go on, nothing more is begun. Work that holds something others
	 * wait for, such as a place, calls this before giving it back.
	 */
	readonly onItemFailed = (): void => {
		if (!this.continueOnFail) this.end.abort();
	};

	/**
	 * Works on all items, and gives their results in input order. No error cuts this short: what has begun is finished,
	 * since it may be paid for.
	 *
	 * @param work throws NotStarted if it had to wait and is no longer wanted
	 * @param atOnce how many items are worked on at the same time
	 */
	async workOn<I, T>(
		items: readonly I[],
		work: (item: I) => Promise<T>,
		atOnce: number,
	): Promise<Array<Settled<T>>> {
		const limit = callLimit(atOnce);
		const settled = async (item: I): Promise<Settled<T>> => {
			if (this.stopCreating.aborted) return { skipped: true };
			const done = await attempt(work(item));
			if ('value' in done) return done;
			if (done.error instanceof NotStarted) return { skipped: true };
			this.onItemFailed();
			return done;
		};
		return await Promise.all(
			items.map(async (item) => await limit(async () => await settled(item))),
		);
	}
}
