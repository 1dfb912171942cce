import type { Job } from '../../../sandbox/jobs.mts';
import type { JournalEntry } from '../../../sandbox/journal.mts';
import { toldBy } from '../../support/toldBy.mts';
import type { Execution } from '../../support/virtualRun.mts';
import { REFUSALS } from './rules.mts';
import { itemOf, type Play } from './play.mts';
import type { WorkflowPlan } from './scenario.mts';

/*
 * What can be known of a play without looking into the product: what the service has received, done and answered, and
 * what a person is shown.
 */

/** A request to create a job that has arrived at the service, with what came of it. */
export interface Creation {
	plan: WorkflowPlan;
	itemIndex: number;
	/** Which of the workflow's executions has sent it. */
	run: number;
	execution: Execution;
	request: JournalEntry;
	/** It is paid for. */
	job?: Job;
	/** Whoever sent it cannot know whether there is a job. */
	isLost: boolean;
}

/** One that has made a job. */
export type Paid = Creation & { job: Job };

export const isPaid = (creation: Creation): creation is Paid => creation.job !== undefined;

/** All creations of a play, in the order in which they arrived. */
export function creationsOf({ n8n, workflows }: Play): Creation[] {
	const requests = n8n.state.journal.ofKind('create');
	const jobs = jobsOf(requests, n8n.state.jobs.list);
	return requests.map((request) => {
		const prompt = promptOf(request);
		const { plan, executions } = workflows.find((one) => itemOf(one.plan, prompt) >= 0)!;
		const run = executions.findLastIndex(({ startedAt }) => startedAt <= request.at);
		return {
			plan,
			itemIndex: itemOf(plan, prompt),
			run,
			execution: executions[run]!,
			request,
			job: jobs.get(request),
			isLost: isLost(request, n8n.network.answered.has(request)),
		};
	});
}

/** The job that each request has made. An answer can be late: of several requests for a row, that which fits. */
function jobsOf(requests: readonly JournalEntry[], jobs: readonly Job[]): Map<JournalEntry, Job> {
	return new Map(
		jobs.map((job) => {
			const maker = requests
				.filter((entry) => promptOf(entry) === job.body.prompt && entry.at <= job.createdAt)
				.findLast((entry) => isMaker(entry, job))!;
			return [maker, job];
		}),
	);
}

/** At once, or after a delay by a fault. */
function isMaker({ at, fault, answeredAt }: JournalEntry, { createdAt }: Job): boolean {
	return at === createdAt || (fault === 'slow' && answeredAt === createdAt);
}

const promptOf = ({ body }: JournalEntry) => String(Object(body).prompt);

/** Only a readable answer tells what was done: that there is a job, or one of the documented refusals. */
function isLost({ status, fault }: JournalEntry, hasArrived: boolean): boolean {
	const isReadable = status === 201 ? fault !== 'garbage' : REFUSALS.includes(Number(status));
	return !hasArrived || !isReadable;
}

/** All that an execution shows and keeps. */
export function textOf({ items, error, memory, hints, messages }: Execution): string {
	return JSON.stringify({ items, error: error && toldBy(error), memory, hints, messages });
}

/** Whether a text names a job. An identifier within an address is there by chance of the sandbox. */
export function isNamed(text: string, { id }: Job): boolean {
	const words = text.replace(/https?:[^\s"\\]+/g, '').split(/[^\w-]+/);
	return words.includes(id);
}

/** Whether Stop in the editor has ended it. */
export function isStopped({ stopsAfterMs }: WorkflowPlan, execution: Execution): boolean {
	const { startedAt, endedAt, options } = execution;
	return Boolean(options.signal?.aborted) && endedAt - startedAt >= Number(stopsAfterMs);
}

/** What a person is told of a row. */
export interface Told {
	plan: WorkflowPlan;
	itemIndex: number;
	run: number;
	execution: Execution;
	text: string;
	/** What the item says, where the row has one. */
	charged?: unknown;
}

/** What each execution says of the rows that have failed, or of all rows where it has failed. */
export function toldIn({ workflows }: Pick<Play, 'workflows'>): Told[] {
	return workflows.flatMap(({ plan, executions }) =>
		executions.flatMap((execution, run) =>
			plan.prompts.flatMap((_, itemIndex) => {
				const row = { plan, itemIndex, run, execution };
				const { items, error, messages } = execution;
				if (error) return [{ ...row, text: wordsOn(plan, itemIndex, toldBy(error)) }];
				// n8n drops the items of an execution that was stopped.
				const said = wordsOn(plan, itemIndex, messages.join('\n'));
				if (isStopped(plan, execution)) return [{ ...row, text: said }];
				const failed = items.find(
					({ json, pairedItem }) =>
						json.error !== undefined && (pairedItem as { item: number }).item === itemIndex,
				);
				if (!failed) return [];
				const { charged } = failed.json;
				return [{ ...row, text: JSON.stringify(failed.json), charged }];
			}),
		),
	);
}

/**
 * What a text says of a row. It names rows by their number, as a person counts; what names no row goes with the row
 * before. Where there is only one row, all is about that.
 */
function wordsOn({ prompts }: WorkflowPlan, itemIndex: number, text: string): string {
	if (prompts.length === 1) return text;
	const parts = text.split(/\b(?=(?:row|item) \d)/i);
	const isOfRow = new RegExp(`^\\w+ ${itemIndex + 1}\\b`);
	return parts.filter((part) => isOfRow.test(part)).join('\n');
}

/*
 * The words that tell of money. Where the package finds others, the properties have nothing to hold against the
 * service: the suite counts how often they occur, and fails.
 */

/** Rows that are counted, not named: all that the error says of them is that they cost nothing. */
const NOT_STARTED = /(\d+) not started and not charged/;

/** How many rows an error says not to have been started. */
export const notStartedIn = (text: string): number => Number(NOT_STARTED.exec(text)?.[1] ?? 0);

/** What a text says about the money of its row. */
export function chargeIn({ text, charged }: Told): { no: boolean; yes: boolean; doubt: boolean } {
	const own = text.replace(NOT_STARTED, '');
	return {
		no: charged === 'no' || /nothing was charged/i.test(own),
		yes: charged === 'yes',
		doubt: charged === 'unknown' || /\bmay (also )?(be|exist|have)\b/i.test(own),
	};
}
