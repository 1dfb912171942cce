import type { Settled } from '../orders/batch';
import { JobError, type JobSnapshot } from '../orders/job';
import { jobOf } from '../orders/order';
import { creditsTold } from '../output/jobOutput';
import { priceOf, type PriceEstimate } from '../spec/price';
import { jobInError } from './table';
import { totalInWords, totalOf } from './costs';
import { counted, info } from './messages';
import { planIn, type ItemPlan, type Plans, type Run } from './run';
import { COMPLETED, CREDITS_REMAINING_FIELD, CREDITS_USED_FIELDS, FAILED } from '../spec/answers';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import type { MediaType } from '../spec/types';

const RESULTS: Record<MediaType, string> = {
	image: 'image',
	video: 'video',
	audio: 'audio result',
	text: 'text result',
};

/** A job that exists, and the item that ordered it. */
interface ItemJob {
	plan: ItemPlan;
	job: JobSnapshot;
	hasFailed: boolean;
}

/** Says what a run has made, what that has cost, and how long it took: `8 images, 64 credits, 31 s`. */
export function summarize(run: Run, plans: Plans, results: ReadonlyArray<Settled<unknown>>): void {
	const jobs = plans.flatMap((settled, itemIndex): ItemJob[] => {
		const plan = planIn(settled);
		const result = results[itemIndex] ?? { skipped: true };
		const error = 'error' in result ? result.error : undefined;
		const job = run.seen.get(itemIndex) ?? jobInError(error);
		if (!plan || !job) return [];
		// A job that took too long goes on at the service, and has not failed.
		const isLate = error instanceof JobError && error.kind === 'timeout';
		const hasFailed = job.state === FAILED || ('error' in result && !isLate);
		return [{ plan, job, hasFailed }];
	});
	if (jobs.length === 0) return;
	const refused = results.filter((result) => 'error' in result && !jobInError(result.error)).length;
	const failed = refused + jobs.filter(({ hasFailed }) => hasFailed).length;
	const isOwn = ({ plan }: ItemJob) =>
		run.orders.find(plan.itemIndex)?.orderedIn === run.executionId;
	const paid = jobs.filter(isOwn);
	const made = jobs.filter(({ hasFailed }) => !hasFailed);
	const parts = [
		...madeIn(run, made),
		...(failed > 0 ? [`${failed} failed`] : []),
		...creditsIn(paid),
		...balanceIn(run, paid),
		`${Math.round((run.clock.elapsed() - run.startedAt) / 1000)} s`,
	];
	info(run, parts.join(', '));
}

/** Counts the results by type of media, and the jobs that go on. */
function madeIn({ withoutUrl, takes }: Run, jobs: readonly ItemJob[]): string[] {
	const completed = jobs.filter(({ job }) => job.state === COMPLETED);
	const done = completed.filter(({ plan }) => !withoutUrl.has(plan.itemIndex));
	const bare = completed.length - done.length;
	const open = jobs.filter(({ job }) => job.state !== COMPLETED);
	const isWaitedFor = ({ plan }: ItemJob) => plan.read('waitForCompletion', true) === true;
	const late = open.filter(isWaitedFor).length;
	const started = open.length - late;
	// A song comes in takes, and each is a result.
	const taken = done.reduce((sum, { plan }) => sum + (takes.get(plan.itemIndex) ?? 0), 0);
	return [
		...(taken > 0 ? [counted(taken, 'take')] : []),
		...resultsIn(done.filter(({ plan }) => !takes.has(plan.itemIndex))),
		...(bare > 0 ? [`${counted(bare, 'result')} without a URL`] : []),
		...(started > 0 ? [`${counted(started, 'job')} started`] : []),
		...(late > 0 ? [`${late} not finished`] : []),
	];
}

const resultsIn = (done: readonly ItemJob[]) =>
	[...new Set(done.map(mediaTypeOf))].map((type) => {
		const { length } = done.filter((one) => mediaTypeOf(one) === type);
		return counted(length, type ? RESULTS[type] : 'result');
	});

function mediaTypeOf({ plan: { operation } }: ItemJob): MediaType | undefined {
	return operation.kind === 'create' ? operation.mediaType : undefined;
}

/** What the service says it has charged, or else the price in the tables; nothing if any price is unknown. */
function creditsIn(paid: readonly ItemJob[]): string[] {
	const total = totalOf(
		paid.map(({ plan, job }) => ({ itemIndex: plan.itemIndex, ...chargeOf(plan, job) })),
	);
	return paid.length === 0 || total.unknown.length > 0 ? [] : [totalInWords(total)];
}

function chargeOf({ operation, values }: ItemPlan, job: JobSnapshot): PriceEstimate {
	const credits = creditsTold(job, CREDITS_USED_FIELDS);
	if (credits === null && operation.kind === 'create') return priceOf(operation, values);
	return { credits, exact: true };
}

/** The lowest balance in the last answers to creations, as many as may have been under way together. */
function balanceIn(run: Run, paid: readonly ItemJob[]): string[] {
	const told = paid.flatMap(({ plan, job }) => {
		const left = creditsTold(job, [CREDITS_REMAINING_FIELD]);
		return left === null
			? []
			: [{ left, at: jobOf(run.orders.find(plan.itemIndex))?.startedAt ?? 0 }];
	});
	const last = told.sort((one, other) => one.at - other.at).slice(-CONCURRENT_GENERATIONS);
	return last.length > 0 ? [`${Math.min(...last.map(({ left }) => left))} left`] : [];
}
