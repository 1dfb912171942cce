import { JobError, type JobSnapshot } from '../orders/job';
import { jobOf } from '../orders/order';
import { creditsTold } from '../output/jobOutput';
import { COMPLETED, CREDITS_REMAINING_FIELD, CREDITS_USED_FIELDS } from '../spec/answers';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import { priceOf, type PriceEstimate } from '../spec/price';
import { totalInWords, totalOf } from './costs';
import { counted, info } from './messages';
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
	const running = rest.length - done;
	// What another execution has paid for is not counted.
	const own = made.filter(({ row }) => row.order?.orderedIn === run.executionId);
	const parts = [
		...(done > 0 ? [`${counted(done, 'job')} done`] : []),
		...(failed > 0 ? [`${failed} failed`] : []),
		...(running > 0 ? [`${running} running`] : []),
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
	const charges = own.map(({ plan, job }) => ({ ...plan, ...chargeOf(plan, job) }));
	const total = totalOf(charges);
	return own.length === 0 || total.unknown.length > 0 ? [] : [totalInWords(total)];
}

function chargeOf({ operation, values }: ItemPlan, job: JobSnapshot): PriceEstimate {
	const credits = creditsTold(job, CREDITS_USED_FIELDS);
	if (credits === null && operation.kind === 'create') return priceOf(operation, values);
	return { credits, exact: true };
}

/** The lowest balance in the last answers to creations, as many as may have been under way together. */
function balanceIn(own: readonly Made[]): string[] {
	const told = own.flatMap(({ row, job }) => {
		const left = creditsTold(job, [CREDITS_REMAINING_FIELD]);
		return left === null ? [] : [{ left, at: jobOf(row.order)?.startedAt ?? 0 }];
	});
	const last = told.sort((one, other) => one.at - other.at).slice(-CONCURRENT_GENERATIONS);
	return last.length > 0 ? [`${Math.min(...last.map(({ left }) => left))} left`] : [];
}
