import type { Clock } from '../clock/clock';
import { limitsOf, type AccountLimits } from '../account/account';
import type { Looker } from '../account/history';
import { perAccount } from '../account/perAccount';
import type { Service } from '../service/service';
import { Claims } from './claims';
import { LearnedStatus } from './learnedStatus';
import type { Pool } from './orders';
import { ShownResults } from './shownResults';

/** What a run needs to follow a job. */
export interface Follower extends Looker {
	service: Service;
	account: Account;
	clock: Clock;
	/** Fires when the jobs are to be left alone: by Stop, or at the end of a tick of a durable run. */
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
	/** Where to read jobs whose status path is not documented. */
	statuses: LearnedStatus;
}

/** @param id of the account, as the service door gives it */
export const accountOf = perAccount((clock, id): Account => {
	return {
		limits: limitsOf(id, clock),
		claims: new Claims(),
		shownResults: new ShownResults(),
		pool: new Map(),
		statuses: new LearnedStatus(clock),
	};
});
