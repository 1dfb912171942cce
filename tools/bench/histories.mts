import type { IHttpRequestOptions } from 'n8n-workflow';

import { JOB_HISTORY } from '../../nodes/shared/spec/jobs.ts';
import { seededRandom } from '../../sandbox/random.mts';
import type { FaultRuleInput } from '../../sandbox/faults.mts';
import type { SandboxSettingsInput } from '../../sandbox/settings.mts';
import type { NetworkOptions } from '../../test/support/virtualNetwork.mts';

type ListShape = NonNullable<NonNullable<SandboxSettingsInput['shapes']>['list']>;
type Entry = Record<string, unknown>;

/** Changes an entry of the history; `heard` counts the answers of the history before. */
type Lie = (entry: Entry, entries: readonly Entry[], heard: number) => Entry;

/** What a service's history may be like, beside the status of its jobs. */
export interface HistoryKind {
	title: string;
	list?: ListShape;
	faults?: FaultRuleInput[];
	lie?: Lie;
}

/** The same as the status of each job. */
export const TRUE: HistoryKind = { title: 'true' };

/** Of no use: nothing can be learned from it. */
export const USELESS: HistoryKind[] = [
	{
		title: 'none (404)',
		faults: [{ match: { kind: 'list' }, fault: { kind: 'status', status: 404 } }],
	},
	{ title: 'without these jobs', list: { lists: 'video' } },
];

/** By this, a job in the history is the same in each answer. */
const lotOf = ({ id }: Entry) => seededRandom(1, String(id))();

const isEnded = ({ status }: Entry) => status === 'completed' || status === 'failed';

const ended = (entry: Entry, how: string): Entry => ({
	...entry,
	status: how,
	image_url: `https://service.example/media/${String(entry.id)}.png`,
	completed_at: entry.created_at,
});

/** After as many true answers, a history tells lies. */
const TRUE_ANSWERS = 12;

export interface UntrueHistory extends HistoryKind {
	/** Tells the truth until it has been believed for some time. */
	turns?: boolean;
}

export const UNTRUE: UntrueHistory[] = [
	{ title: 'ends up to 4 s late', list: { stateLagMs: { min: 0, max: 4000 } } },
	{ title: 'lists jobs up to 8 s late', list: { lagMs: { min: 0, max: 8000 } } },
	{ title: 'cut off after 3', list: { keeps: 3 } },
	{ title: 'ended jobs alone', list: { lists: 'ended' } },
	{ title: 'in any order, twice each', list: { order: 'shuffled', repeats: true } },
	{ title: 'the oldest first, 10 a page', list: { order: 'oldest', maxPage: 10 } },
	{ title: 'without URLs', list: { entries: { urls: false } } },
	{
		title: 'ends that are none, 1 in 4',
		lie: (entry) => (!isEnded(entry) && lotOf(entry) < 1 / 4 ? ended(entry, 'completed') : entry),
	},
	{
		title: 'ends that are none, after true ones',
		turns: true,
		lie: (entry, _, heard) =>
			heard >= TRUE_ANSWERS && !isEnded(entry) ? ended(entry, 'completed') : entry,
	},
	{
		title: 'failures that are none, after true ones',
		turns: true,
		lie: (entry, _, heard) =>
			heard >= TRUE_ANSWERS && !isEnded(entry) ? ended(entry, 'failed') : entry,
	},
	{
		title: "another job's URL, 1 in 4",
		lie: (entry, entries) =>
			lotOf(entry) < 1 / 4
				? {
						...entry,
						...(entry.image_url !== undefined && { image_url: otherUrl(entry, entries) }),
					}
				: entry,
	},
	{
		title: "another job's URL, after true ones",
		turns: true,
		lie: (entry, entries, heard) =>
			heard >= TRUE_ANSWERS && entry.image_url !== undefined
				? { ...entry, image_url: otherUrl(entry, entries) }
				: entry,
	},
	{
		title: 'other credits, after true ones',
		turns: true,
		lie: (entry, _, heard) => (heard >= TRUE_ANSWERS ? { ...entry, credits_used: 1 } : entry),
	},
	{
		title: 'never an end, after true ones',
		turns: true,
		lie: (entry, _, heard) =>
			heard >= TRUE_ANSWERS ? { ...entry, status: 'processing', image_url: undefined } : entry,
	},
];

function otherUrl({ id }: Entry, entries: readonly Entry[]): unknown {
	const other = entries.find((entry) => entry.id !== id && entry.image_url !== undefined);
	return other?.image_url ?? 'https://service.example/media/other.png';
}

export function withHistory(
	{ list, lie }: HistoryKind,
	settings: SandboxSettingsInput,
): NetworkOptions {
	return {
		settings: { ...settings, ...(list && { shapes: { list } }) },
		...(lie && { retell: retold(lie) }),
	};
}

function retold(lie: Lie): NetworkOptions['retell'] {
	let heard = 0;
	return (answer: unknown, { url }: IHttpRequestOptions) => {
		if (!url.endsWith(String(JOB_HISTORY.path)) || !Array.isArray(answer)) return answer;
		const before = heard++;
		return answer.map((entry: Entry) => lie(entry, answer as Entry[], before));
	};
}
