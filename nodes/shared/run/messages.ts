import type { IExecuteFunctions } from 'n8n-workflow';

import { NotStarted } from '../jobs/batch';
import { jobOf } from '../jobs/order';
import { attempt } from '../service/attempt';
import { MAX_TEXT } from '../service/serviceError';
import { cleanText } from '../service/shownText';
import { withoutTags } from './nodeError';
import { isTool, plannedIn, type ItemPlan, type Plans, type Run } from './run';

/** Shows a warning in the node's output pane, beside the items: once per run, however many items it is about. */
export const hint = (run: Run, message: string): void => show(run, message, 'warning');

/** The same for what is not a warning, such as the summary of a run. */
export const info = (run: Run, message: string): void => show(run, message, 'info');

function show({ context, said }: Run, text: string, type: 'warning' | 'info'): void {
	// The text may quote the service or a prompt, and n8n's editor renders it as HTML.
	const message = withoutTags(cleanText(text, MAX_TEXT));
	if (said.has(message)) return;
	said.add(message);
	context.addExecutionHints({ message, type, location: 'outputPane' });
}

/** A number with its noun: `1 item`, `8 items`. */
export const counted = (count: number, one: string, several = `${one}s`): string =>
	`${count} ${count === 1 ? one : several}`;

/** How many items of a batch are done, and how many are on their way. */
export interface Progress {
	total: number;
	/** Items that have ended, including those that have failed. */
	done: number;
	failed: number;
	/** Items whose jobs are created and have not ended. */
	running: number;
}

/** The time between two lines in n8n's log about one batch, in ms. */
export const TOLD_EVERY_MS = 30_000;

/** Such as "12 of 100 items done (1 failed), 5 running, 83 waiting". */
export function progressText({ total, done, failed, running }: Progress): string {
	const failures = failed > 0 ? ` (${failed} failed)` : '';
	const waiting = total - done - running;
	return `${done} of ${total} items done${failures}, ${running} running, ${waiting} waiting`;
}

/** Writes to n8n's log, as *info*, how far an execution is. */
export function tellProgress(context: IExecuteFunctions, executionId: string, text: string): void {
	context.logger.info(`${context.getNode().name}: ${text} (execution ${executionId})`);
}

/**
 * Logs the progress of a run that waits in process: a line now and then while something changes, and one at
 * the end of a batch. Logging must never keep a run from ending.
 */
export class ProgressLog {
	private readonly over = new AbortController();
	private readonly open = new Set<ItemPlan>();
	private readonly total: number;
	private done: number;
	private failed: number;
	private told = '';

	constructor(
		private readonly run: Run,
		plans: Plans,
	) {
		const valid = plannedIn(plans);
		const ordering = valid.filter(({ operation }) => operation.kind === 'create');
		// Each call of an agent's tool is a run of its own.
		const isFollowed = ordering.length > 0 && !isTool(run.context);
		this.failed = isFollowed ? plans.length - valid.length : 0;
		this.done = this.failed;
		this.total = isFollowed ? ordering.length + this.failed : 0;
		if (isFollowed) this.tellNowAndThen().catch(() => {});
	}

	/** @returns the result of `work`, the work for the item */
	async follow<T>(plan: ItemPlan, work: Promise<T>): Promise<T> {
		if (this.total === 0 || plan.operation.kind !== 'create') return await work;
		this.open.add(plan);
		const result = await attempt(work);
		this.open.delete(plan);
		const isBegun = !('error' in result && result.error instanceof NotStarted);
		if (isBegun) this.done += 1;
		if (isBegun && 'error' in result) this.failed += 1;
		return await work;
	}

	/** To be called when the run is over. `reportStopped` names the jobs of a stopped run. */
	end(): void {
		this.over.abort();
		if (this.run.signal?.aborted) return;
		if (this.total > 1 || this.told !== '') this.tell();
	}

	private async tellNowAndThen(): Promise<void> {
		for (;;) {
			await this.run.clock.sleep(TOLD_EVERY_MS, this.over.signal);
			this.tell();
		}
	}

	private tell(): void {
		const { context, executionId, ledger } = this.run;
		const running = [...this.open].filter(({ itemIndex, request }) =>
			jobOf(ledger.find(itemIndex, request)),
		).length;
		const { total, done, failed } = this;
		const text = progressText({ total, done, failed, running });
		if (text !== this.told) tellProgress(context, executionId, text);
		this.told = text;
	}
}
