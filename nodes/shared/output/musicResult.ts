import type { IDataObject } from 'n8n-workflow';

import { identifierIn } from '../jobs/readRecord';
import { objectSchema, type Body } from '../service/bodies';
import {
	COMPLETED_AT_FIELD,
	CREATED_AT_FIELD,
	CREDITS_REMAINING_FIELD,
	CREDITS_USED_FIELDS,
	ID_FIELDS,
	MODEL_FIELDS,
	STATUS_FIELD,
} from '../spec/records';
import type { FoundUrl } from './mediaUrls';

/** Name under which operations ask for a take (section "Fields per operation"). */
const AUDIO_ID = 'audio_id';

/** One take of a song: its identifier and its links, by the policy for open points. */
export interface Take {
	audioId: string | null;
	mediaUrl: string | null;
	mediaUrls: string[];
}

/**
 * The takes in a finished record, in order: the innermost objects around its URLs that have an
 * `audio_id` or `id`, or else the objects that hold the URLs. The `id` of the record itself is the
 * job's, unless that has another one.
 *
 * @param urls the result URLs of the record, with their paths
 */
export function takesIn(record: Body, urls: readonly FoundUrl[]): Take[] {
	const takes = new Map<string, Take>();
	for (const { path, url } of urls) {
		const { owner, audioId } = ownerOf(record, path);
		const take = takes.get(owner) ?? { audioId, mediaUrl: null, mediaUrls: [] };
		// Not a new list each time: a record may have any number of URLs.
		take.mediaUrls.push(url);
		take.mediaUrl = take.mediaUrls.length === 1 ? url : null;
		takes.set(owner, take);
	}
	return [...takes.values()];
}

/** What a record says besides its bookkeeping: lyrics, a phrase, note data, timings. */
export function resultIn(record: Body): IDataObject {
	const entries = Object.entries(record).filter(([name]) => !BOOKKEEPING.has(name));
	const [first] = entries;
	const inner = objectSchema.safeParse(first?.[1]);
	const isWrapped = entries.length === 1 && first?.[0] === 'result' && inner.success;
	return (isWrapped ? inner.data : Object.fromEntries(entries)) as IDataObject;
}

const BOOKKEEPING: ReadonlySet<string> = new Set([
	...ID_FIELDS,
	...CREDITS_USED_FIELDS,
	...MODEL_FIELDS,
	STATUS_FIELD,
	'state',
	CREDITS_REMAINING_FIELD,
	CREATED_AT_FIELD,
	COMPLETED_AT_FIELD,
]);

/** `tracks[0].links.mp3` belongs to `tracks[0]` if that has an identifier; `urls[1]` is its own. */
function ownerOf(record: Body, path: string): { owner: string; audioId: string | null } {
	const around = pathsAround(path);
	for (const owner of around) {
		// An id further out, of no list entry, is that of something larger than a take.
		const isTake = owner === around[0] || owner.endsWith(']');
		const audioId = idOf(record, owner, isTake);
		if (audioId !== null) return { owner, audioId };
	}
	return { owner: path.endsWith(']') ? path : (around[0] ?? ''), audioId: null };
}

/** `a[0].b` is inside `a[0]`, `a` and the record itself. */
function pathsAround(path: string): string[] {
	const ends = [...path.matchAll(/[.[]/g)].map(({ index }) => index);
	return ['', ...ends.map((end) => path.slice(0, end))].reverse();
}

function idOf(record: Body, path: string, isTake: boolean): string | null {
	const keys = path.match(/[^.[\]]+/g) ?? [];
	const owner = keys.reduce<unknown>((value, key) => Object(value)[key], record);
	const { [AUDIO_ID]: audioId, id } = Object(owner) as Body;
	const isJob = path === '' && identifierIn(record)?.field === 'id';
	const found = [audioId, isTake && !isJob ? id : undefined].find(
		(value) => (typeof value === 'string' && value !== '') || typeof value === 'number',
	);
	return found === undefined ? null : String(found);
}
