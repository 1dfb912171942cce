import type { Job } from '../../../sandbox/jobs.mts';
import type { JournalEntry } from '../../../sandbox/journal.mts';
import type { Execution } from '../../support/virtualRun.mts';
import { TELLING_FIELDS, type WorkflowPlan } from './scenario.mts';
import { itemOf, type Play, type Played } from './play.mts';
import { toldBy } from '../../support/toldBy.mts';

/** What the ledger has on one item. */
export interface LedgerEntry {
	job?: { id: string };
	unknownOutcome?: string;
	ended?: string;
	executionId?: string;
}

/** The ledger's entry of an item, in a node's context as JSON. */
export function entryOf(memory: string, itemIndex: number): LedgerEntry | undefined {
	const { mediaGenJobs } = JSON.parse(memory) as {
		mediaGenJobs?: { entries: Record<string, LedgerEntry> };
	};
	return mediaGenJobs?.entries[`0:${itemIndex}`];
}

/** All that an execution shows and keeps. */
export function textOf({ items, error, memory, hints, messages }: Execution): string {
	return JSON.stringify({ items, error: error && errorText(error), memory, hints, messages });
}

/** Without addresses: an identifier within one is there by chance of the sandbox. */
export function withoutUrls(text: string): string {
	return text.replace(/https?:[^\s"\\]+/g, '');
}

/** What a person reads of an error. */
export const errorText = (error: NonNullable<Execution['error']>): string => toldBy(error);

/** A job, the request that created it, and the execution that sent that. */
export interface Creation {
	job: Job;
	plan: WorkflowPlan;
	request: JournalEntry;
	played: Played;
	itemIndex: number;
	/** The node was not told the job's identifier. */
	isLost: boolean;
}

/** A request may take this long, ms, with some way to go. */
const ANSWERED_WITHIN_MS = 29_500;

/** All paid jobs of a play. */
export function creationsOf({ n8n, workflows }: Play): Creation[] {
	const requests = n8n.state.journal.ofKind('create');
	return n8n.state.jobs.list.map((job) => {
		const workflow = workflows.find(({ plan }) => itemOf(plan, job.body) >= 0)!;
		const { plan } = workflow;
		// An answer can be late: of several requests of an item, that which the job is the effect of.
		const request = requests
			.filter(({ body, at }) => isSame(body, job.body) && at <= job.createdAt)
			.findLast((entry) => isMaker(entry, job))!;
		const played = workflow.executions.findLast(
			({ execution }) => execution.startedAt <= request.at,
		)!;
		return {
			job,
			plan,
			request,
			played,
			itemIndex: itemOf(plan, job.body),
			isLost: isLost(request, played.execution),
		};
	});
}

/** At once, or after a delay by a fault. */
function isMaker({ at, fault, answeredAt }: JournalEntry, { createdAt }: Job): boolean {
	return at === createdAt || (fault === 'slow' && answeredAt === createdAt);
}

function isLost({ status, fault, at, answeredAt }: JournalEntry, execution: Execution): boolean {
	const isIntact = status === 201 && fault !== 'garbage';
	if (!isIntact || answeredAt === undefined) return true;
	const stoppedAt = execution.options.signal?.aborted ? execution.endedAt : Infinity;
	return answeredAt - at > ANSWERED_WITHIN_MS || answeredAt >= stoppedAt - ANSWERED_WITHIN_MS;
}

function isSame(sent: unknown, made: Record<string, unknown>): boolean {
	const fields = Object(sent) as Record<string, unknown>;
	return ['prompt', ...TELLING_FIELDS].every((name) => fields[name] === made[name]);
}

/** The most requests that arrived within any window of that length, ms. */
export function mostWithin(times: readonly number[], windowMs: number): number {
	let first = 0;
	let most = 0;
	for (const [index, at] of times.entries()) {
		while (times[first]! <= at - windowMs) first += 1;
		most = Math.max(most, index - first + 1);
	}
	return most;
}
