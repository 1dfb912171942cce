import { pageRequest } from '../request/buildRequest';
import { attempt } from '../service/attempt';
import { JOB_HISTORY } from '../spec/jobs';
import type { Follower } from './account';
import { MOST_ENTRIES } from './historyReader';

/** Entries of the history that are asked for at least. */
const LEAST_ENTRIES = 20;

/** Runs that look at the history. */
const looking = new WeakSet<object>();

/** From now on, the run looks at the history whenever it is time, until it is over. */
export function lookOut(run: Follower): void {
	if (looking.has(run)) return;
	looking.add(run);
	void keepLooking(run);
}

async function keepLooking(run: Follower): Promise<void> {
	const { account, service, signal, runDone } = run;
	const { loop, historyReader } = account;
	const ends = AbortSignal.any(signal ? [signal, runDone] : [runDone]);
	let turn = attempt(loop.look(run, ends));
	for (;;) {
		const granted = await turn;
		if ('error' in granted) return void looking.delete(run);
		const limit = Math.min(Math.max(LEAST_ENTRIES, 2 * loop.jobs.size), MOST_ENTRIES);
		// Jobs that begin while it answers may be too young to be listed.
		const due = loop.due;
		const request = pageRequest(JOB_HISTORY, limit);
		const answer = await attempt(service.send(request, { granted: granted.value }));
		// Before it is told: nobody is to find that none looks.
		turn = attempt(loop.look(run, ends));
		historyReader.hear(answer, due, limit);
	}
}
