import { limitsOf, type Limits } from '../limits/limits';
import { perAccount } from '../limits/perAccount';
import { Claims } from './claims';
import { DetachedJobs } from './detachedJobs';
import { HistoryPoller } from './historyPoller';
import { HistoryTrust } from './historyTrust';

/** What all runs of an account share in this process. */
export interface Account extends Limits {
	historyPoller: HistoryPoller;
	historyTrust: HistoryTrust;
	/** Jobs that nobody waits for. */
	detached: DetachedJobs;
	/** Jobs whose order is known. */
	claims: Claims;
	/** Media types of which the history has been seen to list jobs that had not ended. */
	unfinishedShown: Set<string>;
}

/** @param id as the service door names it */
export const accountOf = perAccount((clock, id): Account => {
	const limits = limitsOf(id, clock);
	const historyTrust = new HistoryTrust(clock);
	const claims = new Claims();
	return {
		...limits,
		historyTrust,
		claims,
		historyPoller: new HistoryPoller(clock, limits, historyTrust, claims),
		detached: new DetachedJobs(),
		unfinishedShown: new Set(),
	};
});
