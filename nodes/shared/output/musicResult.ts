import type { IDataObject } from 'n8n-workflow';

import { identifierIn } from '../jobs/readRecord';
import { objectSchema, type Body } from '../service/bodies';
import {
	BESIDE_DATA,
	COMPLETED_AT_FIELD,
	CREATED_AT_FIELD,
	CREDITS_REMAINING_FIELD,
	CREDITS_USED_FIELDS,
	ID_FIELDS,
	MODEL_FIELDS,
	STATUS_FIELD,
} from '../spec/records';
import type { FoundUrl, Place } from './mediaUrls';

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
 * @param urls the result URLs of the record
 */
export function takesIn(record: Body, urls: readonly FoundUrl[]): Take[] {
	const takes = new Map<object, Take>();
	const isJob = identifierIn(record)?.field === 'id';
	for (const found of urls) {
		const { owner, audioId } = ownerOf(found, isJob);
		const take = takes.get(owner) ?? { audioId, mediaUrl: null, mediaUrls: [] };
		// Not a new list each time: a record may have any number of URLs.
		take.mediaUrls.push(found.url);
		take.mediaUrl = take.mediaUrls.length === 1 ? found.url : null;
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
	BESIDE_DATA,
	CREDITS_REMAINING_FIELD,
	CREATED_AT_FIELD,
	COMPLETED_AT_FIELD,
]);

/**
 * `tracks[0].links.mp3` belongs to `tracks[0]` if that has an identifier; `urls[1]` is its own.
 *
 * @param isJob whether the `id` of the record is the job's
 */
function ownerOf(found: FoundUrl, isJob: boolean): { owner: object; audioId: string | null } {
	for (let place: Place | undefined = found.place; place; place = place.outer) {
		// An id further out, of no list entry, is that of something larger than a take.
		const isTake = place === found.place || place.isEntry;
		const isOwnId = isTake && !(isJob && place.outer === undefined);
		const audioId = idOf(place.value, isOwnId);
		if (audioId !== null) return { owner: place.value, audioId };
	}
	const { value } = found.place;
	return { owner: Array.isArray(value) ? found : value, audioId: null };
}

function idOf(value: object, isOwnId: boolean): string | null {
	const { [AUDIO_ID]: audioId, id } = value as Body;
	const found = [audioId, isOwnId ? id : undefined].find(
		(candidate) =>
			(typeof candidate === 'string' && candidate !== '') || typeof candidate === 'number',
	);
	return found === undefined ? null : String(found);
}
