import { LIST_TRANSACTIONS } from '../nodes/shared/spec/account.ts';
import type { Values } from '../nodes/shared/spec/values.ts';
import { JOB_HISTORY } from '../nodes/shared/spec/jobs.ts';
import { LIST_IMAGE_MODELS, LIST_VIDEO_MODELS } from '../nodes/shared/spec/images.ts';
import type { ListOperation } from '../nodes/shared/spec/operation.ts';
import type { Served } from './documented.mts';
import { transactionsOf, type Account } from './account.mts';
import type { History } from './history.mts';
import type { Job } from './jobs.mts';
import { envelope, generationParts, openParts, type RecordContext } from './records.mts';
import type { SandboxSettings } from './settings.mts';

type Entry = Record<string, unknown>;

/** The entries of a list, each made when a page shows it. */
type Entries = Array<() => Entry>;

interface ListSource extends RecordContext {
	history: History;
	account: Account;
}

const pathOf = ({ path }: Pick<ListOperation, 'path'>): string =>
	typeof path === 'string' ? path : path.openPoint;

/** All entries of each listing, by path. A listing that is not here lists the jobs of its resource. */
const ENTRIES: Record<string, (source: ListSource, query: Values) => Entries> = {
	[pathOf(JOB_HISTORY)]: ({ history, ...context }, { type }) =>
		history.generations(type).map((job) => () => entryOf(generationParts, job, context)),
	[pathOf(LIST_TRANSACTIONS)]: ({ account }) => transactionsOf(account).map((entry) => () => entry),
	[pathOf(LIST_IMAGE_MODELS)]: () => IMAGE_MODELS.map((entry) => () => entry),
	[pathOf(LIST_VIDEO_MODELS)]: () => VIDEO_MODELS.map((entry) => () => entry),
};

/** A family's own history, such as that of Video Studio. */
const ownHistory = (resource: string, { history, ...context }: ListSource): Entries =>
	history.ofFamily(resource).map((job) => () => entryOf(openParts, job, context));

/** An entry of a history. The document does not show one, so it follows the record of the job. */
function entryOf(make: typeof openParts, job: Job, context: RecordContext): Entry {
	const { zone, trimmed, entries } = context.settings.shapes.list;
	const { identity, rest } = make(job, context, entries);
	const entry: Entry = { ...identity, ...rest };
	const { prompt } = entry;
	if (trimmed && typeof prompt === 'string') entry.prompt = prompt.trim();
	for (const name of zone ? [] : ['created_at', 'completed_at']) {
		const time = entry[name];
		if (typeof time === 'string') entry[name] = time.replace(/Z$/, '');
	}
	return entries.enveloped ? { data: entry } : entry;
}

/** One page of a listing, and the number of entries of all pages. */
export function listBody(
	operation: Served<ListOperation>,
	source: ListSource,
	query: Values,
): unknown {
	const entries =
		ENTRIES[pathOf(operation)]?.(source, query) ?? ownHistory(operation.resource, source);
	const { list } = source.settings.shapes;
	return LIST_BODIES[list.body](
		pageOf(entries, operation, query, list).map((make) => make()),
		entries.length,
	);
}

type ListShape = SandboxSettings['shapes']['list'];

/** The entries of the page that the query asks for; all where the listing has no pages. */
function pageOf(
	entries: Entries,
	{ isPaged }: Pick<ListOperation, 'isPaged'>,
	query: Values,
	{ pageSize, maxPage }: ListShape,
): Entries {
	if (!isPaged) return entries;
	const start = numberOr(query.offset, 0);
	const size = Math.min(numberOr(query.limit, pageSize), maxPage ?? Infinity);
	return entries.slice(start, start + size);
}

const LIST_BODIES: Record<ListShape['body'], (page: Entry[], count: number) => unknown> = {
	array: (page) => page,
	results: (page, count) => ({ results: page, count }),
	items: (page, count) => ({ items: page, total: count }),
	data: (page) => envelope(page),
	dataResults: (page) => envelope({ results: page }),
	none: (_, count) => envelope({ count }),
};

const numberOr = (value: unknown, fallback: number): number =>
	typeof value === 'number' ? Math.max(0, value) : fallback;

/** Made up: the document does not show the entries of the model listings. */
const models = (names: readonly string[], more: object) =>
	names.map((name) => ({ id: `sandbox-${name.toLowerCase()}`, name: `Sandbox ${name}`, ...more }));

const IMAGE_MODELS = models(['Sketch', 'Paint'], { aspect_ratios: ['1:1', '3:2', '2:3'] });

/** With what the document says the entries have. */
const VIDEO_MODELS = models(['Reel', 'Feature'], {
	capabilities: ['text_to_video', 'image_to_video'],
	aspect_ratios: ['16:9', '9:16'],
	durations: [5, 10],
	quality_modes: ['standard', 'pro'],
});
