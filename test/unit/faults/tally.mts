import { creationsOf, isPaid, isStopped } from './facts.mts';
import type { Play } from './play.mts';

/** How often there was something to get wrong, over all plays of a suite. */
export class Tally {
	readonly counts: Record<string, number> = {};

	add(play: Play): void {
		const { journal, account } = play.n8n.state;
		const executions = play.workflows.flatMap((workflow) => workflow.executions);
		const creations = creationsOf(play);
		const lost = creations.filter((one) => isPaid(one) && one.isLost);
		for (const { ms } of play.scenario.clockSteps) {
			this.count(`clock set ${ms < 0 ? 'back' : 'forth'}`, 1);
		}
		this.count('paid jobs', account.charges.length);
		this.count('creations whose answer was lost', lost.length);
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
		for (const { fault, kind } of journal.entries) {
			if (fault !== undefined) this.count(`${fault} at ${kind}`, 1);
		}
	}

	private count(what: string, times: number): void {
		this.counts[what] = (this.counts[what] ?? 0) + times;
	}
}

function sum<T>(list: readonly T[], of: (entry: T) => number): number {
	return list.reduce((total, entry) => total + of(entry), 0);
}
