import type { IHttpRequestOptions } from 'n8n-workflow';

import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import { seededRandom, wholeBetween } from '../../../sandbox/random.mts';
import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import type { NetworkOptions } from '../../support/virtualNetwork.mts';

/** From the document. */
const HISTORY = '/api/v1/generate/history/';

type Entry = Record<string, unknown>;

/** Answers of the history before this one, and what the service itself lists. */
interface Heard {
	answers: number;
	entries: readonly Entry[];
}

/** What a history tells instead of the truth. */
export interface UntrueHistory {
	list?: NonNullable<SandboxSettingsInput['shapes']>['list'];
	/** Which requests for the history meet a fault, by how many came before. */
	fault?: FaultRuleInput['fault'];
	retell?: (entry: Entry, heard: Heard) => Entry | undefined;
}

const hasEnded = ({ status }: Entry) => status === 'completed' || status === 'failed';
const hasUrl = ({ image_url }: Entry) => image_url !== undefined;

const ended = (entry: Entry, status: string): Entry => ({
	...entry,
	status,
	image_url: `https://service.example/media/${String(entry.id)}.png`,
	completed_at: entry.created_at,
});

const goesOn = (entry: Entry): Entry => ({
	...entry,
	status: 'processing',
	image_url: undefined,
	completed_at: null,
});

function urlOfAnother(entry: Entry, { entries }: Heard): Entry {
	const other = entries.find((one) => one.id !== entry.id && hasUrl(one));
	return hasUrl(entry) && other ? { ...entry, image_url: other.image_url } : entry;
}

/** Lies that all entries tell from an answer on. */
const LIES: Record<string, NonNullable<UntrueHistory['retell']>> = {
	'ends that are none': (entry) => (hasEnded(entry) ? entry : ended(entry, 'completed')),
	'failures that are none': (entry) => (hasEnded(entry) ? entry : ended(entry, 'failed')),
	'one completed for all failed': (entry) =>
		entry.status === 'failed'
			? { ...ended(entry, 'completed'), image_url: 'https://service.example/media/failed.png' }
			: entry,
	'failed for completed': (entry) =>
		entry.status === 'completed' ? { ...entry, status: 'failed' } : entry,
	'never an end': goesOn,
	'the URLs of other jobs': urlOfAnother,
	'URLs of no job': (entry) =>
		hasUrl(entry) ? { ...entry, image_url: `${String(entry.image_url)}?size=small` } : entry,
	'one URL for all': (entry) =>
		hasUrl(entry) ? { ...entry, image_url: 'https://service.example/media/soon.png' } : entry,
	'no URLs': (entry) => ({ ...entry, image_url: undefined }),
	'other credits': (entry) => ({ ...entry, credits_used: 1 }),
	'other identifiers': (entry) => ({ ...entry, id: `h-${String(entry.id)}` }),
	'no states': (entry) => ({ ...entry, status: undefined }),
	'states of its own': (entry) => (hasEnded(entry) ? entry : { ...entry, status: 'rendering' }),
	'no entries': () => undefined,
};

/** What a history may be like throughout. */
const SHAPES: Record<string, NonNullable<UntrueHistory['list']>> = {
	'ends late': { stateLagMs: { min: 0, max: 6000 } },
	'jobs late': { lagMs: { min: 0, max: 8000 } },
	'three jobs': { keeps: 3 },
	'ended jobs alone': { lists: 'ended' },
	'no jobs of this type': { lists: 'video' },
	'any order, twice each': { order: 'shuffled', repeats: true },
	'the oldest first, ten': { order: 'oldest', maxPage: 10 },
	'no list': { body: 'none' },
	'entries in envelopes': { entries: { enveloped: true } },
	'no times': { entries: { times: false } },
};

/** How requests for the history may end. */
const FAULTS: Record<string, FaultRuleInput['fault']> = {
	'no answer': { kind: 'hang' },
	'slow answers': { kind: 'slow', ms: 4000 },
	'cut-off answers': { kind: 'garbage' },
	resets: { kind: 'reset' },
	'429': { kind: 'status', status: 429, headers: { 'retry-after': '2' } },
	'500': { kind: 'status', status: 500 },
	'404': { kind: 'status', status: 404 },
};

/** All kinds, by name. */
export const KINDS: Record<string, UntrueHistory> = {
	...mapped(LIES, (retell) => ({ retell })),
	...mapped(SHAPES, (list) => ({ list })),
	...mapped(FAULTS, (fault) => ({ fault })),
};

function mapped<T>(
	entries: Record<string, T>,
	to: (value: T) => UntrueHistory,
): Record<string, UntrueHistory> {
	return Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, to(value)]));
}

/** From which answer on it is untrue, and where that ends. */
export interface Turns {
	from: number;
	to: number;
}

/** A network whose history is untrue for some of its answers. */
export function withUntrueHistory(
	{ list, retell }: UntrueHistory,
	{ from, to }: Turns,
	settings: SandboxSettingsInput,
): NetworkOptions {
	let answers = 0;
	return {
		settings: { ...settings, ...(list && { shapes: { list } }) },
		retell: (answer: unknown, { url }: IHttpRequestOptions) => {
			if (!url.endsWith(HISTORY) || !Array.isArray(answer)) return answer;
			const heard = { answers: answers++, entries: answer as Entry[] };
			if (!retell || heard.answers < from || heard.answers >= to) return answer;
			return heard.entries.flatMap((entry) => retell(entry, heard) ?? []);
		},
	};
}

/** Where lies begin: from the first answer, or once a history may be believed. */
export function turnsOf(seed: number): Turns {
	const random = seededRandom(seed, 'turns');
	const from = random() < 1 / 3 ? 0 : wholeBetween(random, 1, 40);
	return { from, to: random() < 1 / 2 ? Infinity : from + wholeBetween(random, 3, 30) };
}
