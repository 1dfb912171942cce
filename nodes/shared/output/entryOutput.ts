import type { IDataObject } from 'n8n-workflow';

/** An entry as the JSON of an item. */
export function entryOutput(entry: unknown): IDataObject {
	return typeof entry === 'object' && entry !== null && !Array.isArray(entry)
		? (entry as IDataObject)
		: { value: entry as IDataObject[string] };
}
