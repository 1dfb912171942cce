import type { IDataObject } from 'n8n-workflow';

import { objectSchema } from '../service/bodies';
import { ID_FIELDS } from '../spec/answers';

/** An entry as the JSON of an item. */
export function entryOutput(entry: unknown): IDataObject {
	return typeof entry === 'object' && entry !== null && !Array.isArray(entry)
		? (entry as IDataObject)
		: { value: entry as IDataObject[string] };
}

/**
 * Lets through the entries of page after page that no page before had. An entry is known by its
 * identifiers, all of them: what is told of one job may be in several. One without any is known by
 * what it says; within a page, alike ones are several.
 */
export class NewEntries {
	private readonly known = new Set<string>();

	/** The entries of a page that are new. */
	of(page: readonly unknown[]): unknown[] {
		const said: string[] = [];
		const added = page.filter((entry) => {
			const identity = identityOf(entry);
			const name = identity ?? JSON.stringify(entry);
			const isNew = !this.known.has(name);
			if (identity === undefined) said.push(name);
			else this.known.add(name);
			return isNew;
		});
		for (const name of said) this.known.add(name);
		return added;
	}
}

function identityOf(entry: unknown): string | undefined {
	const record = objectSchema.safeParse(entry);
	if (!record.success) return undefined;
	const identifiers = ID_FIELDS.map((field) => record.data[field] ?? null);
	return identifiers.some((value) => value !== null) ? JSON.stringify(identifiers) : undefined;
}
