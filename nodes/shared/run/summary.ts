import { JobError } from '../orders/job';
import { creditsTold } from '../output/jobOutput';
import { COMPLETED, CREDITS_REMAINING_FIELD, CREDITS_USED_FIELDS } from '../spec/answers';
import { inCredits } from '../spec/price';
import { countsInWords, info } from './messages';
import type { Run } from './run';
import { errorIn, jobInError, type Row } from './table';

/**
 * Says what a run has made, and how long it took: `8 jobs done, 64 credits, 970 left, 31 s`. The credits are those that the
 * service says it has charged this execution.
 */
export function summarize(run: Run, rows: readonly Row[]): void {
	const made = rows.flatMap((row) => {
		const job = run.seen.get(row.itemIndex) ?? jobInError(errorIn(row));
		return job ? [{ row, job }] : [];
	});
	if (made.length === 0) return;
	const failed = rows.filter(hasFailed).length;
	const rest = made.filter(({ row }) => !hasFailed(row));
	const done = rest.filter(({ job }) => job.state === COMPLETED).length;
	const own = made.filter(({ row }) => row.order?.orderedIn === run.executionId);
	const used = own.flatMap(({ job }) => creditsTold(job, CREDITS_USED_FIELDS) ?? []);
	const left = own.flatMap(({ job }) => creditsTold(job, [CREDITS_REMAINING_FIELD]) ?? []);
	const isTold = used.length > 0 && used.length === own.length;
	const parts = [
		...countsInWords([
			[done, done === 1 ? 'job done' : 'jobs done'],
			[failed, 'failed'],
			[rest.length - done, 'running'],
		]),
		...(isTold ? [inCredits(used.reduce((sum, credits) => sum + credits, 0))] : []),
		// The answers to creations may come in another order than they were made.
		...(left.length > 0 ? [`${Math.min(...left)} left`] : []),
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
