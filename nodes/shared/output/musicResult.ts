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
import { bestUrls } from './bestUrls';
import type { FoundUrl, Place } from './mediaUrls';

/** Name under which operations ask for a take (section "Fields per operation"). */
const AUDIO_ID = 'audio_id';

/** A URL that is not the main one, with its path in the record. */
export interface OtherUrl {
	path: string;
	url: string;
}

/** One take of a song, by the policy for open points. */
export interface Take {
	/** Absent where the record has none for it. */
	audioId?: string;
	mediaUrl: string;
	/** Its other links and pictures; absent where there are none. */
	otherUrls?: OtherUrl[];
}

/**
 * The takes in a finished record, in order: the innermost objects around its URLs that have an
 * `audio_id` or `id`, or else the objects that hold the best of them. The `id` of the record itself is
 * the job's, unless that has another one.
 *
 * @param candidates for the results
 * @param all URLs of the record: those of a take stay with it
 */
export function takesIn(
	record: Body,
	{ candidates, all }: { candidates: readonly FoundUrl[]; all: readonly FoundUrl[] },
	mediaType: string | null,
): Take[] {
	const isJob = identifierIn(record)?.field === 'id';
	const { series, likely } = bestUrls(candidates, mediaType);
	const owners = new Map<object, Owner>();
	for (const found of candidates) {
		const { owner, audioId } = ownerOf(found, isJob);
		const known = owners.get(owner) ?? { audioId, candidates: [], others: [] };
		known.candidates.push(found);
		owners.set(owner, known);
	}
	for (const found of all) owners.get(ownerOf(found, isJob).owner)?.others.push(found);
	const results = new Set(series);
	const likelyOnes = new Set(likely);
	const isTake = ({ audioId, candidates: own }: Owner) =>
		own.some((found) => results.has(found) || (audioId !== null && likelyOnes.has(found)));
	return [...owners.values()].filter(isTake).flatMap((owner): Take[] => takeOf(owner, mediaType));
}

/** What holds URLs, and may be a take. */
interface Owner {
	audioId: string | null;
	candidates: FoundUrl[];
	others: FoundUrl[];
}

function takeOf({ audioId, candidates, others }: Owner, mediaType: string | null): Take[] {
	const [best] = bestUrls(candidates, mediaType).series;
	if (!best) return [];
	const otherUrls = others
		.filter(({ url }) => url !== best.url)
		.map(({ path, url }): OtherUrl => ({ path, url }));
	return [
		{
			...(audioId === null ? {} : { audioId }),
			mediaUrl: best.url,
			...(otherUrls.length > 0 ? { otherUrls } : {}),
		},
	];
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
