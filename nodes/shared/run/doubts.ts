import { answeredJob, doubtError, type Doubtful, mayBe, noteMayBe } from '../orders/doubt';
import type { NamedJob } from '../orders/job';
import { doubtIn } from '../orders/order';
import { promptOf } from '../spec/field';
import { ServiceError } from '../service/serviceError';
import { hint, rowFirst } from './messages';
import { beganAt, type ItemPlan, type Row, type Run, sendable } from './run';

/*
 * Orders of unknown outcome (money rules 1 and 2): a machine sends none of them again. A person is told what they may be,
 * and decides by retrying the execution.
 */

/**
 * Settles what an earlier try has left: an answer may name its job by now; and a person who retries orders anew, unless
 * the history shows a job of which nobody has told them. Then they are told, once. What must not be sent is an error.
 */
export async function settleDoubts(run: Run, rows: readonly Row[]): Promise<void> {
	const { orders } = run;
	const open = doubtsIn(sendable(rows)).filter((one) => !isAnswered(run, one));
	const askedAnew = open.filter(({ order }) => orders.isByPerson(order));
	const untold = askedAnew.filter(({ order }) => !doubtIn(order)?.wasTold);
	const news = await noteMayBe(run, untold);
	for (const one of open) {
		const { row, order } = one;
		const doubt = doubtIn(order);
		const isNews = news.has(order);
		if (doubt && isNews) orders.settle(order, { ...doubt, wasTold: true });
		if (askedAnew.includes(one) && !isNews) orders.giveUp(order);
		else row.result = { error: doubtError(one, true) };
	}
}

/** Names what orders may be whose outcome has become unknown just now: their errors say so. */
export async function nameDoubts(run: Run, rows: readonly Row[]): Promise<void> {
	const open = doubtsIn(rows);
	await noteMayBe(run, open);
	for (const one of open) one.row.result = { error: doubtError(one) };
}

/** The rows whose orders have an unknown outcome. */
const doubtsIn = (rows: readonly Row[]) =>
	rows.flatMap((row) => {
		const { order, plan: { operation } = {} } = row;
		return operation?.kind === 'create' && doubtIn(order)
			? [{ row, order: order!, operation }]
			: [];
	});

/** Whether the answer to its creation names a job, in a field that the credential tells by now. */
function isAnswered(run: Run, { order, operation }: Doubtful): boolean {
	const job = answeredJob(run, operation, order);
	if (!job) return false;
	run.orders.settle(order, { state: 'running', job });
	hint(
		run,
		`${rowFirst({ itemIndex: order.row })}: its first creation seemed to be lost. Its answer names job ${job.id}, which is taken for it, and not paid for again.`,
	);
	return true;
}

/**
 * A person has retried or continued an execution, and n8n may have ended in a try of which it has stored nothing. If the
 * history shows jobs with the prompts of rows without an order since the last one that was stored, of which nobody here
 * knows, or cannot be read, these rows tell it, and are not ordered. The next retry orders them.
 */
export async function tellLostByKill(run: Run, rows: readonly Row[]): Promise<void> {
	const { orders, continued, context } = run;
	if (!orders.isUnknown) return;
	const known = continued ? continued.unknownSince : orders.knownUntil;
	const from = known ?? (await beganAt(context)) ?? Infinity;
	const open = sendable(rows).filter(
		({ plan, order, earlier }) => !order && earlier.length === 0 && isSought(plan),
	);
	const sought = open.map(({ plan: { operation, values } }) => {
		return { prompt: promptOf(operation, values), from, to: run.clock.now() };
	});
	const found = open.length > 0 && from < Infinity ? await mayBe(run, sought) : [];
	const isTold = !found?.every(({ length }) => length === 0);
	orders.noteLooked(isTold);
	if (!isTold) return;
	for (const [index, row] of open.entries()) row.result = { error: lostError(found?.[index]) };
}

const isSought = ({ operation, values }: ItemPlan) =>
	operation.kind === 'create' &&
	operation.status.isInHistory === true &&
	promptOf(operation, values) !== undefined;

/** @param named jobs that it may be; absent if the history could not be read */
function lostError(named?: readonly NamedJob[]): ServiceError {
	const jobs = (named ?? []).map(
		({ jobId, createdAt }) => `${jobId} (${createdAt ?? 'time not known'})`,
	);
	const shown = named
		? `With this row's prompt, the generation history shows ${jobs.join(', ') || 'none'}`
		: 'The generation history cannot be read';
	return new ServiceError({
		message: `Not ordered yet: jobs of this execution may have been paid for. ${shown}`,
		description:
			'n8n may have ended while the execution that you retry was running, and knows nothing of its jobs. Take the result of a job that is yours with Job > Wait for Completion; Retry once more orders all rows.',
		outcome: 'unknown',
	});
}
