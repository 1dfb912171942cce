import type { ServiceRequest } from '../service/request';
import type { Values } from '../spec/conditions';
import type { CreateOperation } from '../spec/types';
import type { Follower } from './account';
import type { Place } from '../limits/places';
import type { OutcomeReader } from './historyTrust';
import type { Failing, Job, JobSnapshot } from './job';
import type { Ledger } from './ledger';

/** What the jobs of one run of a node share. */
export interface JobContext extends Follower {
	ledger: Ledger;
	executionId: string;
	/** A person runs an earlier execution again, having read what happened (*Retry execution*). */
	isRetry: boolean;
	/** What the user has typed into the node that decides what is ordered (`orderFingerprint`). */
	parameters: string;
	/** Fires when no more jobs are to be started. */
	stopCreating: AbortSignal;
	/** To be called when an item has failed, before its place is given back: nothing more may begin then. */
	onItemFailed: () => void;
	/** Called when a job has been created, and is in the ledger. */
	onCreated?: () => void;
}

/** One job to be done. */
export interface JobSpec {
	itemIndex: number;
	operation: CreateOperation;
	values: Values;
	request: ServiceRequest;
	/** Whether to wait for its end. */
	wait: boolean;
	/** ms between two polls at most; by the polling plan alone when absent. */
	maxPollIntervalMs?: number;
	/** ms after the job's creation when waiting ends; also the time that the limits have to let a creation through. */
	timeoutMs: number;
	/** ms for which looks go on when the time is up, as long as none is answered. */
	graceMs?: number;
	/** Jobs of this run that may be running at most. */
	maxRunning: number;
	/** What a record of the job comes to; absent where the history is not to stand for it. */
	outcome?: (job: Job) => OutcomeReader;
	/** The job is read by itself, and at once: it is known to have ended. */
	isReread?: true;
	/** Ends without a result that are no errors. */
	nonErrorOutcomes: readonly Failing[];
	/** Called when it waits for a place no longer: the next job of the run may get in line. */
	onPlace?: () => void;
	/** The place that it has already. */
	place?: Place;
}

/** A job, and what was last seen of it. */
export interface JobResult {
	job: Job;
	snapshot: JobSnapshot;
	/** How such jobs are read, in words, where that was found out with this one. */
	foundHint?: string;
}

/** A job of this run, created now or by an earlier try. */
export interface CreatedJob {
	job: Job;
	/** Of a job that may be running. */
	place?: Place;
	/** Created just now, not by an earlier try. */
	isNew?: true;
}
