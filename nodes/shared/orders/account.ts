import type { Clock } from '../clock/clock';
import { loopOf, type AccountLoop } from '../limits/accountLoop';
import { perAccount } from '../limits/perAccount';
import type { Service } from '../service/service';
import { Claims } from './claims';
import { DetachedJobs } from './detachedJobs';
import { HistoryReader } from './historyReader';
import { HistoryTrust } from './historyTrust';
import { LearnedStatus } from './learnedStatus';
import type { Pool } from './orders';

/** What a run needs to follow a job. */
export interface Follower {
	service: Service;
	account: Account;
	clock: Clock;
	/** Fires when the jobs are to be left alone: by Stop, or at the end of a tick of a durable run. */
	signal?: AbortSignal;
	/** Fires then, too, and when the run is over, or a tick of a durable one. */
	ends: AbortSignal;
}

/** What all runs of an account share in this process. */
export interface Account {
	loop: AccountLoop;
	historyReader: HistoryReader;
	historyTrust: HistoryTrust;
	/** Jobs that nobody waits for. */
	detached: DetachedJobs<Follower>;
	/** Jobs whose order is known. */
	claims: Claims;
	/** Refused polls in a row, by job ID; kept here since a durable run polls again in another tick. */
	refusals: Map<string, number>;
	/** Orders of runs that go on with each other's. */
	pool: Pool;
	/** Where to read jobs whose status path is not documented. */
	statuses: LearnedStatus;
}

/** @param id of the account, as the service door gives it */
export const accountOf = perAccount((clock, id): Account => {
	const loop = loopOf(id, clock);
	const historyTrust = new HistoryTrust(loop.history);
	const claims = new Claims();
	return {
		loop,
		historyTrust,
		claims,
		historyReader: new HistoryReader(clock, loop, historyTrust, claims),
		detached: new DetachedJobs(),
		refusals: new Map(),
		pool: new Map(),
		statuses: new LearnedStatus(clock),
	};
});
