import type { INodeExecutionData } from 'n8n-workflow';

import type { Settled } from '../jobs/batch';
import { identifierIn, stateIn } from '../jobs/readRecord';
import { mediaUrlsIn } from '../output/mediaUrls';
import { cleanText } from '../service/cleanText';
import { nodeError, type NodeError } from './errors';
import type { Plan, Run } from './run';

/** What is known of one item: its plan, where it has one, and what became of it. */
interface Fate {
	plan: Settled<Plan> | undefined;
	result: Settled<unknown>;
}

/**
 * The error of a run that stops: the first of its errors, and whatever has become of the other
 * items, those of an earlier try too, so that no paid job is lost (money rule 3).
 */
export function failure(
	run: Run,
	plans: ReadonlyArray<Settled<Plan>>,
	results: ReadonlyArray<Settled<unknown>> = plans.map(withoutResult),
): NodeError {
	const first = results.findIndex((result) => 'error' in result);
	const fates = results.map((result, index) => fateOf(run, { plan: plans[index], result }));
	const told = fates.flatMap((text, index) =>
		text === undefined || index === first ? [] : [`item ${index}: ${text}`],
	);
	const untouched = fates.filter((text) => text === undefined).length;
	const more = [
		told.length > 0 ? `Other items of this run: ${told.join('; ')}.` : '',
		untouched > 0 ? `Not started and not charged: ${untouched} more.` : '',
	]
		.filter(Boolean)
		.join(' ');
	const result = results[first];
	const error = result && 'error' in result ? result.error : undefined;
	return nodeError(run.context, error, first, more);
}

const withoutResult = (plan: Settled<Plan>): Settled<unknown> =>
	'error' in plan ? plan : { skipped: true };

/** In words; `undefined` where nothing was begun. */
function fateOf({ jobs }: Run, { plan, result }: Fate): string | undefined {
	const own = plan && 'value' in plan ? plan.value : undefined;
	const entry = own && jobs.ledger.find(own.itemIndex, own.request);
	if ('error' in result) {
		const { message } = result.error as Error;
		if (entry?.doubt !== undefined) return `${message} (a job may exist: see Job > Get History)`;
		const isNamed = !entry?.job || message.includes(entry.job.id);
		return isNamed ? message : `job ${entry.job?.id}: ${message}`;
	}
	if ('value' in result) return finished(result.value, own, entry?.job?.id);
	if (entry?.job) return `job ${entry.job.id}, paid for by an earlier try`;
	return entry?.doubt;
}

function finished(value: unknown, plan?: Plan, jobId?: string): string {
	const items = isAboutJob(plan) ? (value as INodeExecutionData[]) : [];
	const texts = items.map(({ json }) => {
		const id = json.jobId ?? jobId ?? identifierIn(json)?.value;
		const found = mediaUrlsIn(json, { request: plan?.values }).map(({ url }) => url);
		const urls = (json.mediaUrls as string[] | undefined) ?? found;
		return [`job ${String(id)}`, stateIn(json), ...urls].filter(Boolean).join(' ');
	});
	return texts.length > 0 ? texts.join(', ') : 'done';
}

const isAboutJob = (plan?: Plan) => plan && ['create', 'status'].includes(plan.operation.kind);

/**
 * Says what became of the jobs of a run that was stopped, finished ones and creations in doubt too.
 * n8n keeps nothing of what a stopped node gives out or remembers, so this goes to n8n's log and, of
 * a run started in the editor, to the browser's console.
 */
export function reportStopped(
	run: Run,
	plans: ReadonlyArray<Settled<Plan>>,
	results: ReadonlyArray<Settled<unknown>>,
): void {
	const told = results.flatMap((result, index) => {
		const plan = plans[index];
		const isOfJob = plan && 'value' in plan && isAboutJob(plan.value);
		const fate = isOfJob ? fateOf(run, { plan, result }) : undefined;
		return fate === undefined ? [] : [`item ${index}: ${fate}`];
	});
	if (told.length === 0) return;
	const text = cleanText(
		`Stopped. What is paid for stays paid for: ${told.join('; ')}. Read the jobs with Job > Get Status or Job > Wait for Completion.`,
	);
	run.context.logger.warn(`${run.context.getNode().name}: ${text}`);
	run.context.sendMessageToUI(text);
}
