import type { Settled } from '../jobs/batch';
import { JobError, type JobSnapshot } from '../jobs/job';
import { orderOf } from '../jobs/itemOrder';
import { jobOf } from '../jobs/order';
import { creditsTold } from '../output/jobOutput';
import { priceOf, type PriceEstimate } from '../spec/price';
import { jobInError } from '../run/errors';
import { totalInWords, totalOf } from './costs';
import { counted, info } from '../run/messages';
import { planIn, type ItemPlan, type Plans, type Run } from '../run/run';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import { COMPLETED, CREDITS_REMAINING_FIELD, CREDITS_USED_FIELDS, FAILED } from '../spec/answers';
import type { MediaType } from '../spec/types';

/** One and several results of a type of media. */
const RESULTS: Record<MediaType, [string, string]> = {
	image: ['image', 'images'],
	video: ['video', 'videos'],
	audio: ['audio result', 'audio results'],
	text: ['text result', 'text results'],
};

/** Of a type that is not known. */
const RESULT: [string, string] = ['result', 'results'];

/** A job that is there, and the item that ordered it. */
interface ItemJob {
	plan: ItemPlan;
	job: JobSnapshot;
	hasFailed: boolean;
}

/**
 * Items whose jobs another execution has paid for.
 *
 * @param plans those that are about to be carried out
 */
export function paidBefore(run: Run, plans: Plans): ReadonlySet<number> {
	const paid = plans.flatMap((settled) => {
		const plan = planIn(settled);
		const order = plan && orderOf(run, plan);
		const isPaid = jobOf(order) && order?.executionId !== run.executionId;
		return plan && isPaid ? [plan.itemIndex] : [];
	});
	return new Set(paid);
}

/** Says what a run has made, what that has cost, and how long it took: `8 images, 64 credits, 31 s`. */
export function summarize(
	run: Run,
	plans: Plans,
	results: ReadonlyArray<Settled<unknown>>,
	before: ReadonlySet<number>,
): void {
	const jobs = plans.flatMap((settled, itemIndex): ItemJob[] => {
		const plan = planIn(settled);
		const result = results[itemIndex] ?? { skipped: true };
		const error = 'error' in result ? result.error : undefined;
		const job = run.seen.get(itemIndex) ?? jobInError(error);
		if (!plan || !job) return [];
		// One that took too long goes on.
		const isLate = error instanceof JobError && error.kind === 'timeout';
		const hasFailed = job.state === FAILED || ('error' in result && !isLate);
		return [{ plan, job, hasFailed }];
	});
	if (jobs.length === 0) return;
	const refused = results.filter((result) => 'error' in result && !jobInError(result.error)).length;
	const failed = refused + jobs.filter(({ hasFailed }) => hasFailed).length;
	const paid = jobs.filter(({ plan }) => !before.has(plan.itemIndex));
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

/** Results by type of media, and jobs that go on. */
function madeIn({ withoutUrl, takes }: Run, jobs: readonly ItemJob[]): string[] {
	const completed = jobs.filter(({ job }) => job.state === COMPLETED);
	const done = completed.filter(({ plan }) => !withoutUrl.has(plan.itemIndex));
	const bare = completed.length - done.length;
	const open = jobs.filter(({ job }) => job.state !== COMPLETED);
	const isWaitedFor = ({ plan }: ItemJob) => plan.read('waitForCompletion', true) === true;
	const late = open.filter(isWaitedFor).length;
	const started = open.length - late;
	return [
		...takenIn(done.map(({ plan }) => takes.get(plan.itemIndex) ?? 0)),
		...resultsIn(done.filter(({ plan }) => !takes.has(plan.itemIndex))),
		...(bare > 0 ? [`${counted(bare, 'result')} without a URL`] : []),
		...(started > 0 ? [`${counted(started, 'job')} started`] : []),
		...(late > 0 ? [`${late} not finished`] : []),
	];
}

/** A song comes in takes, and each is a result. */
function takenIn(numbers: readonly number[]): string[] {
	const total = numbers.reduce((sum, one) => sum + one, 0);
	return total > 0 ? [counted(total, 'take')] : [];
}

const resultsIn = (done: readonly ItemJob[]) =>
	[...new Set(done.map(mediaTypeOf))].map((type) => {
		const { length } = done.filter((one) => mediaTypeOf(one) === type);
		return counted(length, ...(type ? RESULTS[type] : RESULT));
	});

function mediaTypeOf({ plan: { operation } }: ItemJob): MediaType | undefined {
	return operation.kind === 'create' ? operation.mediaType : undefined;
}

/** What the service has charged; where it does not tell, by the tables; nothing where those do not. */
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

/** What the answers to the last creations say that is left: so many may have been under way together. */
function balanceIn({ ledger }: Run, paid: readonly ItemJob[]): string[] {
	const answers = paid.flatMap(({ plan: { itemIndex, request }, job }) => {
		const left = creditsTold(job, [CREDITS_REMAINING_FIELD]);
		const at = jobOf(ledger.find(itemIndex, request))?.startedAt ?? 0;
		return left === null ? [] : [{ left, at }];
	});
	const last = answers.sort((one, other) => one.at - other.at).slice(-CONCURRENT_GENERATIONS);
	return last.length > 0 ? [`${Math.min(...last.map(({ left }) => left))} left`] : [];
}
