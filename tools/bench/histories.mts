import type { IHttpRequestOptions } from 'n8n-workflow';

import { JOB_HISTORY } from '../../nodes/shared/spec/jobs.ts';
import { seededRandom } from '../../sandbox/random.mts';
import type { FaultRuleInput } from '../../sandbox/faults.mts';
import type { SandboxSettingsInput } from '../../sandbox/settings.mts';
import type { NetworkOptions } from '../../test/support/virtualNetwork.mts';
import { VirtualN8n } from '../../test/support/virtualRun.mts';

type ListShape = NonNullable<NonNullable<SandboxSettingsInput['shapes']>['list']>;
type Entry = Record<string, unknown>;

/** Changes an entry of the history. */
type Lie = (entry: Entry, entries: readonly Entry[]) => Entry;

/** What a service's history may be like; the status of each job is always true. */
export interface HistoryKind {
	title: string;
	list?: ListShape;
	faults?: FaultRuleInput[];
	lie?: Lie;
	/** Tells the truth at first, until it is believed. */
	turns?: boolean;
}

/** Agrees with the status of each job. */
export const TRUE: HistoryKind = { title: 'true' };

/** Useless: nothing can be learned from these. */
export const USELESS: HistoryKind[] = [
	{
		title: 'none (404)',
		faults: [{ match: { kind: 'list' }, fault: { kind: 'status', status: 404 } }],
	},
	{ title: 'without these jobs', list: { lists: 'video' } },
];

/** A number from 0 to 1 that depends only on the job, so that every answer treats the job alike. */
const lotOf = ({ id }: Entry) => seededRandom(1, String(id))();

/** The entry, changed to say that its job has ended if it is still running. */
const ended = (entry: Entry, status: string): Entry =>
	entry.status === 'completed' || entry.status === 'failed'
		? entry
		: {
				...entry,
				status,
				image_url: `https://service.example/media/${String(entry.id)}.png`,
				completed_at: entry.created_at,
			};

/** How many true answers a history gives before it lies. */
const TRUE_ANSWERS = 12;

const afterTrue = (title: string, lie: Lie): HistoryKind => ({
	title: `${title}, after true ones`,
	lie,
	turns: true,
});

export const UNTRUE: HistoryKind[] = [
	{ title: 'ends up to 4 s late', list: { stateLagMs: { min: 0, max: 4000 } } },
	{ title: 'lists jobs up to 8 s late', list: { lagMs: { min: 0, max: 8000 } } },
	{ title: 'cut off after 3', list: { keeps: 3 } },
	{ title: 'ended jobs alone', list: { lists: 'ended' } },
	{ title: 'in any order, twice each', list: { order: 'shuffled', repeats: true } },
	{ title: 'the oldest first, 10 a page', list: { order: 'oldest', maxPage: 10 } },
	{ title: 'without URLs', list: { entries: { urls: false } } },
	{
		title: 'ends that are none, 1 in 4',
		lie: (entry) => (lotOf(entry) < 1 / 4 ? ended(entry, 'completed') : entry),
	},
	afterTrue('ends that are none', (entry) => ended(entry, 'completed')),
	afterTrue('failures that are none', (entry) => ended(entry, 'failed')),
	{
		title: "another job's URL, 1 in 4",
		lie: (entry, entries) => (lotOf(entry) < 1 / 4 ? withOtherUrl(entry, entries) : entry),
	},
	afterTrue("another job's URL", withOtherUrl),
	afterTrue('other credits', (entry) => ({ ...entry, credits_used: 1 })),
	afterTrue('never an end', (entry) => ({ ...entry, status: 'processing', image_url: undefined })),
];

function withOtherUrl(entry: Entry, entries: readonly Entry[]): Entry {
	if (entry.image_url === undefined) return entry;
	const other = entries.find(({ id, image_url: url }) => id !== entry.id && url !== undefined);
	return { ...entry, image_url: other?.image_url ?? 'https://service.example/media/other.png' };
}

/** An n8n whose account has a history of the given kind. */
export function withHistory(kind: HistoryKind, settings: SandboxSettingsInput): VirtualN8n {
	const { list, faults = [], lie, turns } = kind;
	const n8n = new VirtualN8n({
		settings: { ...settings, ...(list && { shapes: { list } }) },
		...(lie && { retell: retold(lie, turns ? TRUE_ANSWERS : 0) }),
	});
	for (const fault of faults) n8n.state.faults.add(fault);
	return n8n;
}

function retold(lie: Lie, trueAnswers: number): NetworkOptions['retell'] {
	let heard = 0;
	return (answer: unknown, { url }: IHttpRequestOptions) => {
		if (!url.endsWith(String(JOB_HISTORY.path)) || !Array.isArray(answer)) return answer;
		if (heard++ < trueAnswers) return answer;
		return answer.map((entry: Entry) => lie(entry, answer as Entry[]));
	};
}
