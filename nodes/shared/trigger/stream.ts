import { fingerprint } from '../jobs/fingerprint';
import type { EntryHints } from '../jobs/historyEntries';
import type { Service } from '../service/service';
import type { ServiceRequest } from '../service/request';
import type { MediaType } from '../spec/types';
import type { JobSource } from '../spec/catalogs';

/** A list of jobs as one trigger asks for it. */
export interface Stream {
	/** Tells it from the same list of another account, or of other media. */
	key: string;
	source: JobSource;
	/** Query parameters besides those that page. */
	query: Readonly<Record<string, string>>;
	/** What its jobs make, where an entry does not tell. */
	mediaType?: MediaType;
}

/** Media that a trigger watches for. */
export type Wanted = MediaType | 'all';

/** Characters of a key: enough to tell the few streams of a trigger apart. */
const KEY_LENGTH = 8;

/** The lists that have jobs of the wanted media. */
export function streamsOf(
	sources: readonly JobSource[],
	wanted: Wanted,
	{ account }: Pick<Service, 'account'>,
): Stream[] {
	return sources
		.filter(({ mediaTypes }) => wanted === 'all' || mediaTypes.includes(wanted))
		.map((source) => {
			const query = queryOf(source, wanted);
			const key = fingerprint([account, source.list.path, query]).slice(0, KEY_LENGTH);
			const isAsked = Object.keys(query).length > 0;
			return {
				key,
				source,
				query,
				mediaType: isAsked ? (wanted as MediaType) : onlyTypeOf(source),
			};
		});
}

/** What all jobs of a source make; `undefined` where they make different things. */
export const onlyTypeOf = ({ mediaTypes }: JobSource): MediaType | undefined =>
	mediaTypes.length === 1 ? mediaTypes[0] : undefined;

/** Asks for one media type only by a value that the document shows. */
function queryOf({ list, typeField }: JobSource, wanted: Wanted): Record<string, string> {
	const field = list.fields.find(({ name }) => name === typeField);
	const isShown = field?.options?.some(({ value }) => value === wanted);
	return field && isShown ? { [field.name]: wanted } : {};
}

/** The request for a page of the stream. */
export function pageRequest(
	{ source: { list }, query }: Stream,
	page?: { size: number; offset: number },
): ServiceRequest {
	const { method, path, paging } = list;
	const paged =
		paging && page
			? {
					[paging.limit]: page.size,
					...(page.offset > 0 && { [paging.offset]: page.offset }),
				}
			: {};
	return { method, path: String(path), query: { ...query, ...paged } };
}

/** Where the entries of the stream tell their jobs. */
export function entryHints(
	{ source: { idFields, route } }: Pick<Stream, 'source'>,
	service: Pick<Service, 'field'>,
): EntryHints {
	const { stateField } = route.route;
	return {
		identifier: { documented: idFields, set: service.field('identifier') },
		state: {
			// What the document shows of a record holds for the entry, too.
			documented: stateField === undefined ? [] : [stateField],
			set: service.field('state'),
		},
	};
}
