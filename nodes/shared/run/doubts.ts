import type { Settled } from '../orders/batch';
import { answeredJob, doubtError, type Doubtful, mayBe, noteMayBe } from '../orders/doubt';
import { doubtIn, type NamedJob } from '../orders/order';
import { promptOf } from '../output/itemFields';
import { ServiceError } from '../service/serviceError';
import type { CreateOperation } from '../spec/operation';
import { hint } from './messages';
import { rowFirst } from './table';
import { beganAt, plannedIn, type ItemPlan, type Plans, type Run } from './run';

/*
 * Orders of unknown outcome (money rules 1 and 2): a machine sends none of them again. A person is told what they may be,
 * and decides by retrying the execution.
 */

/**
 * Settles what an earlier try has left: an answer may name its job by now; and a person who retries orders anew, unless
 * the history shows a job of which nobody has told them. Then they are told, once, and the other rows go on.
 *
 * @returns the plans, with an error in place of each that must not be sent, and skipped for those that are told
 */
export async function settleDoubts(run: Run, plans: Plans): Promise<Plans> {
	const { orders, told } = run;
	const doubts = doubtsIn(run, plans).filter((doubt) => !isAnswered(run, doubt));
	const asked = doubts.filter(({ order }) => orders.isByPerson(order));
	const open = asked.filter(({ order }) => !doubtIn(order)?.wasTold);
	const news = await noteMayBe(run, open);
	await tellLostByKill(run, plans);
	const settled = [...plans];
	for (const doubt of doubts) {
		const { order } = doubt;
		const outcome = doubtIn(order);
		if (!asked.includes(doubt)) settled[order.row] = { error: doubtError(doubt, true) };
		else if (outcome && news.has(order)) {
			orders.settle(order, { ...outcome, wasTold: true });
			told.set(order.row, doubtError(doubt, true));
		} else orders.giveUp(order);
	}
	for (const row of told.keys()) settled[row] = { skipped: true };
	return settled;
}

/** Names what orders may be whose outcome has become unknown in this run: their errors say so. */
export async function nameDoubts(
	run: Run,
	plans: Plans,
	results: Array<Settled<unknown>>,
): Promise<void> {
	const isNew = ({ order }: Doubtful) => 'error' in (results[order.row] ?? {});
	const doubts = doubtsIn(run, plans).filter(isNew);
	await noteMayBe(run, doubts);
	for (const doubt of doubts) results[doubt.order.row] = { error: doubtError(doubt) };
}

/** The planned rows whose orders have an unknown outcome. */
function doubtsIn({ orders }: Run, plans: Plans): Doubtful[] {
	return plannedIn(plans).flatMap(({ itemIndex, operation }) => {
		const order = orders.find(itemIndex);
		return operation.kind === 'create' && order && doubtIn(order) ? [{ order, operation }] : [];
	});
}

/** Whether the answer to its creation names a job, in a field that the credential tells by now. */
function isAnswered(run: Run, { order, operation }: Doubtful): boolean {
	const job = answeredJob(run, operation, order);
	if (!job) return false;
	run.account.claims.add(job.id);
	run.orders.settle(order, { state: 'running', job });
	hint(
		run,
		`${rowFirst({ itemIndex: order.row })}: its first creation seemed to be lost. Its answer names job ${job.id}, which is taken for it, and not paid for again.`,
	);
	return true;
}

/**
 * A person has retried an execution, and n8n has stored nothing of this node: it may have ended while the node ran, or the
 * node was not reached. If the history shows jobs with the rows' prompts since that execution began, of which nobody here
 * knows, they are named, and nothing is ordered. The next retry orders, as something is stored then.
 */
async function tellLostByKill(run: Run, plans: Plans): Promise<void> {
	const isRetry = run.isRetry && !run.continued;
	const from = isRetry && run.orders.isUnknown ? await beganAt(run.context) : undefined;
	const listed = plannedIn(plans).filter(isSought);
	if (from === undefined || listed.length === 0) return;
	const sought = listed.map(({ operation, values }) => {
		return { prompt: promptOf(operation, values), from, to: run.clock.now() };
	});
	const found = (await mayBe(run, sought)) ?? [];
	if (!found.some(({ length }) => length > 0)) return;
	run.orders.noteTold();
	for (const [index, { itemIndex }] of listed.entries())
		run.told.set(itemIndex, lostError(found[index] ?? []));
}

const isSought = (plan: ItemPlan): plan is ItemPlan & { operation: CreateOperation } =>
	plan.operation.kind === 'create' &&
	plan.operation.status.isInHistory === true &&
	promptOf(plan.operation, plan.values) !== undefined;

function lostError(named: readonly NamedJob[]): ServiceError {
	const jobs = named.map(({ jobId, createdAt }) => `${jobId} (${createdAt ?? 'time not known'})`);
	return new ServiceError({
		message: `Not ordered yet: jobs of this execution may have been paid for. With this row's prompt, the generation history shows ${jobs.join(', ') || 'none'}`,
		description:
			'n8n may have ended while the execution that you retry was running, and knows nothing of its jobs. Take the result of a job that is yours with Job > Wait for Completion; Retry once more orders all rows.',
		outcome: 'unknown',
	});
}

/** Plans or results with what is told in place. */
export const withTold = <T>({ told }: Run, list: ReadonlyArray<Settled<T>>): Array<Settled<T>> =>
	list.map((one, row) => (told.has(row) ? { error: told.get(row) } : one));
