import { LIST_TRANSACTIONS } from '../nodes/shared/spec/account.ts';
import type { Values } from '../nodes/shared/spec/conditions.ts';
import { JOB_HISTORY } from '../nodes/shared/spec/jobs.ts';
import { LIST_IMAGE_MODELS, LIST_VIDEO_MODELS } from '../nodes/shared/spec/models.ts';
import { isFinal } from '../nodes/shared/spec/states.ts';
import type { ListOperation } from '../nodes/shared/spec/types.ts';
import { transactionsOf, type Account } from './account.mts';
import type { Job, Jobs } from './jobs.mts';
import { IMAGE_MODELS, VIDEO_MODELS } from './models.mts';
import { generationRecord, openRecord, type RecordContext } from './records.mts';
import type { SandboxSettings } from './settings.mts';

type Entry = Record<string, unknown>;

/** The entries of a list, each made when a page shows it. */
type Entries = Array<() => Entry>;

/** What the entries of a list are made from. */
interface ListSource extends RecordContext {
	jobs: Jobs;
	account: Account;
}

/** All entries of each listing, by its path; one that is not here lists the jobs of its resource. */
const ENTRIES: Record<string, (source: ListSource, query: Values) => Entries> = {
	[pathOf(JOB_HISTORY)]: ({ jobs, ...context }, { type }) =>
		newestFirst(
			jobs,
			(job) => isInHistory(job, context, type),
			(job) => historyEntry(job, context),
		),
	[pathOf(LIST_TRANSACTIONS)]: ({ account }) => transactionsOf(account).map((entry) => () => entry),
	[pathOf(LIST_IMAGE_MODELS)]: () => IMAGE_MODELS.map((entry) => () => entry),
	[pathOf(LIST_VIDEO_MODELS)]: () => VIDEO_MODELS.map((entry) => () => entry),
};

/** The history that a family has of its own, such as that of Video Studio. */
function ownHistory({ resource }: ListOperation, { jobs, ...context }: ListSource): Entries {
	return newestFirst(
		jobs,
		({ operation }) => operation.resource === resource,
		(job) => openRecord(job, context),
	);
}

function isInHistory(job: Job, { settings }: RecordContext, type: unknown): boolean {
	const { lists } = settings.shapes.list;
	const { status, mediaType } = job.operation;
	const isWanted = type === undefined || mediaType === type;
	const isShown = lists === 'all' || (lists === 'ended' ? isFinal(job.state) : mediaType === lists);
	return !('only' in status) && isWanted && isShown;
}

function historyEntry(job: Job, context: RecordContext): Entry {
	const { zone, trimmed } = context.settings.shapes.list;
	const record = generationRecord(job, context);
	return {
		...record,
		...(trimmed && { prompt: String(record.prompt).trim() }),
		...(!zone && { created_at: String(record.created_at).replace(/Z$/, '') }),
	};
}

function newestFirst(
	{ list }: Jobs,
	isListed: (job: Job) => boolean,
	recordOf: (job: Job) => Entry,
): Entries {
	return list
		.filter(isListed)
		.reverse()
		.map((job) => () => recordOf(job));
}

/** One page of a listing, and the number of entries of all pages. */
export function listBody(operation: ListOperation, source: ListSource, query: Values): unknown {
	const entries = ENTRIES[pathOf(operation)]?.(source, query) ?? ownHistory(operation, source);
	const { body, pageSize } = source.settings.shapes.list;
	const start = numberOr(query[operation.paging?.offset ?? ''], 0);
	const page = operation.paging
		? entries.slice(start, start + numberOr(query[operation.paging.limit], pageSize))
		: entries;
	return LIST_BODIES[body](
		page.map((make) => make()),
		entries.length,
	);
}

const LIST_BODIES: Record<
	SandboxSettings['shapes']['list']['body'],
	(page: Entry[], count: number) => unknown
> = {
	array: (page) => page,
	results: (page, count) => ({ results: page, count }),
	data: (page) => ({ success: true, data: page }),
	none: (_, count) => ({ success: true, data: { count } }),
};

function numberOr(value: unknown, fallback: number): number {
	return typeof value === 'number' ? Math.max(0, value) : fallback;
}

function pathOf({ path }: ListOperation): string {
	return typeof path === 'string' ? path : path.openPoint;
}
