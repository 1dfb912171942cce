import { keepLatest } from '../jobs/claims';
import type { Run } from './run';

/**
 * The executions with paid jobs, from which a person may pick one. n8n shows a node no list of executions, so these are
 * the ones that nodes of this process have noted, for as long as it runs.
 */

/** Why its jobs may be wanted: it was stopped, has failed, or waits durably. */
export type Because = 'stopped' | 'failed' | 'waits';

export interface KnownExecution {
	executionId: string;
	workflowId: string;
	/** The account of the jobs (`Service.account`); everybody who may use it may see them. */
	account: string;
	node: string;
	because: Because;
	/** How many of its items have a paid job, or may have; for a durable run, how many may still get one. */
	jobs: number;
	/** ms since 1970. */
	at: number;
}

/** By execution and node, oldest first. */
const known = new Map<string, KnownExecution>();

const MOST_REMEMBERED = 1000;

type Named = Pick<KnownExecution, 'executionId' | 'workflowId' | 'node'>;

const keyOf = ({ executionId, workflowId, node }: Named) =>
	JSON.stringify([workflowId, executionId, node]);

/** Remembers that the execution of a run has paid jobs that it has not handed on. */
export function noteExecution(run: Run, because: Because, jobs: number): void {
	const { service, clock } = run;
	const execution = { ...nameOf(run), because, jobs, account: service.account, at: clock.now() };
	forgetExecution(execution);
	keepLatest(known, keyOf(execution), execution, MOST_REMEMBERED);
}

/** Forgets an execution whose jobs are handed on, or will be. */
export function forgetExecution(execution: Named): void {
	known.delete(keyOf(execution));
}

export const nameOf = ({ context, executionId }: Run): Named => ({
	executionId,
	workflowId: String(context.getWorkflow().id),
	node: context.getNode().name,
});

/**
 * The executions of an account, newest first; each once, even if several of its nodes have noted it.
 *
 * @param workflowId only those of this workflow; of all when absent
 */
export function knownExecutions(account: string, workflowId?: string): KnownExecution[] {
	const own = [...known.values()].filter(
		(one) => one.account === account && (workflowId === undefined || one.workflowId === workflowId),
	);
	const byId = new Map<string, KnownExecution>();
	for (const one of own) {
		const before = byId.get(one.executionId);
		const joined = before && {
			node: `${before.node}, ${one.node}`,
			jobs: before.jobs + one.jobs,
		};
		byId.set(one.executionId, { ...one, ...joined });
	}
	return [...byId.values()].sort((one, other) => other.at - one.at);
}
