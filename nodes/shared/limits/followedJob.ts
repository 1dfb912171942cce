import type { Typical } from '../plan/endModel';
import type { JobSeen } from '../plan/reads';

/** What the history tells of a job. */
export interface News {
	state: string;
	record: Record<string, unknown>;
}

/** A job that is waited for; whoever waits for it keeps this up to date. Times: elapsed ms. */
export interface FollowedJob extends Omit<JobSeen, 'hasNews' | 'earliestMs' | 'model' | 'trust'> {
	readonly id: string;
	/** What is alike in how long jobs take, where that is learned. */
	readonly kind?: string;
	/** When such jobs end by the document. */
	readonly documented?: Typical;
	/** What is alike in how entries tell of jobs, where they may stand for records. */
	readonly trustKind?: string;
	/** For how long reads go on when its time is up, as long as none is answered, ms. */
	readonly graceMs: number;
	/** It may have ended, and could since then. */
	wasDue: boolean;
	/** What was heard and not taken yet. */
	news?: News;
}
