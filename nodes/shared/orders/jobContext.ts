import type { Place } from '../account/places';
import type { ServiceRequest } from '../service/request';
import type { Values } from '../spec/conditions';
import type { CreateOperation } from '../spec/operation';
import type { Follower } from './account';
import type { Job, JobSnapshot } from './job';
import type { Order } from './order';
import type { Orders } from './orders';
import type { ShownResult } from './shownResults';

/** What the jobs of one run of a node share. */
export interface JobContext extends Follower {
	orders: Orders;
	executionId: string;
	/** Elapsed ms. */
	startedAt: number;
	/** A person has retried an earlier execution after reading what happened (*Retry execution*). */
	isRetry: boolean;
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
	operation: CreateOperation;
	values: Values;
	request: ServiceRequest;
	/** What its order notes of it. */
	noted: Pick<Order, 'asks' | 'started'>;
	/** Whether to wait for its end. */
	wait: boolean;
	/** How long after the job's creation waiting ends, ms. */
	timeoutMs: number;
	/** How long reads go on after the time is up, ms, as long as none is answered. */
	graceMs?: number;
	/** How many jobs of this run may be running at once. */
	maxRunning: number;
	/** Reads the job's result; absent if its own status is to be read, whatever the history shows. */
	resultIn?: (job: Job, seen: JobSnapshot) => ShownResult | undefined;
	/** A job that has failed or taken too long is given out as an item, and is no error. */
	failuresAreItems: boolean;
	/** Called when it no longer waits for a place: the next job of the run may get in line. */
	onPlace?: () => void;
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
	/** When it was created, elapsed ms; of one of another process, as far as the time of day tells. */
	startedAt: number;
	/** The place of a job that may be running. */
	place?: Place;
}
