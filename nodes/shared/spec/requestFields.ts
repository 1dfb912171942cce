import { CATALOGS } from './catalogs';

/** Names of all fields that requests have. An answer may repeat them, whatever the user wrote there. */
export const REQUEST_FIELDS: ReadonlySet<string> = new Set(
	CATALOGS.flatMap(({ operations }) => operations)
		.flatMap(({ fields }) => fields)
		.map(({ name }) => name),
);
