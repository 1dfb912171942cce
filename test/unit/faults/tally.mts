import { chargeIn, creationsOf, isPaid, isStopped, notStartedIn, toldIn } from './facts.mts';
import { faultOf } from './forcedFaults.mts';
import { toldBy } from '../../support/toldBy.mts';
import type { Play } from './play.mts';

/** How often there was something to get wrong, over all plays of a suite. */
export class Tally {
	readonly counts: Record<string, number> = {};

	add(play: Play): void {
		const { journal, account } = play.n8n.state;
		const executions = play.workflows.flatMap((workflow) => workflow.executions);
		const creations = creationsOf(play);
		const lost = creations.filter((one) => isPaid(one) && one.isLost);
		this.count('paid jobs', account.charges.length);
		this.count('creations whose answer was lost', lost.length);
		this.count('answers that repeated the key', play.echoes);
		this.count(
			'retried orders that vary',
			sum(play.workflows, ({ plan, executions: [first, ...more] }) => {
				return plan.varies ? more.length + (first?.tries ?? 1) - 1 : 0;
			}),
		);
		this.count(
			'tries by Retry On Fail',
			sum(executions, ({ tries }) => tries - 1),
		);
		this.count(
			'retried executions',
			sum(play.workflows, (one) => one.executions.length - 1),
		);
		this.count('runs with two workflows', play.workflows.length > 1 ? 1 : 0);
		this.count(
			'runs beside another process with the same prompts',
			play.workflows.some(({ plan }) => plan.isElsewhere) ? 1 : 0,
		);
		this.count(
			'runs that were stopped',
			sum(play.workflows, ({ plan, executions: [first] }) => +isStopped(plan, first!)),
		);
		this.count(
			'jobs that failed',
			sum(play.n8n.state.jobs.list, ({ outcome }) => +(outcome === 'failed')),
		);
		this.count(
			'429 by the service',
			sum(journal.entries, (e) => +(e.status === 429 && !e.fault)),
		);
		const makers = new Map(creations.map(({ request, job }) => [request, job]));
		for (const entry of journal.entries) {
			const name = faultOf(entry, makers.get(entry)?.createdAt === entry.at);
			if (name !== undefined) this.count(name, 1);
		}
		for (const told of toldIn(play)) {
			const { no, yes, doubt } = chargeIn(told);
			this.count('rows told that nothing was charged', +no);
			this.count('rows told that they were charged', +yes);
			this.count('rows told of a doubt', +doubt);
		}
		this.count(
			'rows told not to have been started',
			sum(executions, ({ error }) => (error ? notStartedIn(toldBy(error)) : 0)),
		);
		this.count(
			'files',
			sum(executions, ({ items }) => items.filter(({ binary }) => binary).length),
		);
	}

	private count(what: string, times: number): void {
		this.counts[what] = (this.counts[what] ?? 0) + times;
	}
}

function sum<T>(list: readonly T[], of: (entry: T) => number): number {
	return list.reduce((total, entry) => total + of(entry), 0);
}
