import { JobError, type JobSnapshot } from '../orders/job';
import { creditsTold } from '../output/jobOutput';
import { COMPLETED, CREDITS_REMAINING_FIELD, CREDITS_USED_FIELDS } from '../spec/answers';
import { priceOf } from '../spec/price';
import { totalInWords, totalOf } from './costs';
import { countsInWords, info } from './messages';
import type { ItemPlan, Run } from './run';
import { errorIn, jobInError, type Row } from './table';

/** A row whose job exists, as last seen. */
interface Made {
	row: Row;
	plan: ItemPlan;
	job: JobSnapshot;
}

/** Says what a run has made, what that has cost, and how long it took: `8 jobs done, 64 credits, 970 left, 31 s`. */
export function summarize(run: Run, rows: readonly Row[]): void {
	const made = rows.flatMap((row): Made[] => {
		const job = run.seen.get(row.itemIndex) ?? jobInError(errorIn(row));
		return row.plan && job ? [{ row, plan: row.plan, job }] : [];
	});
	if (made.length === 0) return;
	const failed = rows.filter(hasFailed).length;
	const rest = made.filter(({ row }) => !hasFailed(row));
	const done = rest.filter(({ job }) => job.state === COMPLETED).length;
	// What another execution has paid for is not counted.
	const own = made.filter(({ row }) => row.order?.orderedIn === run.executionId);
	const parts = [
		...countsInWords([
			[done, done === 1 ? 'job done' : 'jobs done'],
			[failed, 'failed'],
			[rest.length - done, 'running'],
		]),
		...creditsIn(own),
		...balanceIn(own),
		`${Math.round((run.clock.elapsed() - run.startedAt) / 1000)} s`,
	];
	info(run, parts.join(', '));
}

/** A job that took too long goes on at the service, and has not failed. */
function hasFailed(row: Row): boolean {
	const error = errorIn(row);
	const isLate = error instanceof JobError && error.kind === 'timeout';
	return row.order?.outcome.state === 'failed' || (error !== undefined && !isLate);
}

/** What the service says it has charged, or else the price in the tables; nothing if any price is unknown. */
function creditsIn(own: readonly Made[]): string[] {
	const charges = own.map(({ plan: { itemIndex, operation, values }, job }) => {
		const credits = creditsTold(job, CREDITS_USED_FIELDS);
		const isTold = credits !== null || operation.kind !== 'create';
		return { itemIndex, ...(isTold ? { credits, exact: true } : priceOf(operation, values)) };
	});
	const total = totalOf(charges);
	return own.length === 0 || total.unknown.length > 0 ? [] : [totalInWords(total)];
}

/** The lowest balance in the answers to creations: they may come in another order than they were made. */
function balanceIn(own: readonly Made[]): string[] {
	const told = own.flatMap(({ job }) => creditsTold(job, [CREDITS_REMAINING_FIELD]) ?? []);
	return told.length > 0 ? [`${Math.min(...told)} left`] : [];
}
