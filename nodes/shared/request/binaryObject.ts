import type { IBinaryData } from 'n8n-workflow';

/*
 * A file as an expression hands it over, such as `{{ $binary.data }}` or `{{ $json._files.data }}`: n8n's description of
 * it. In the values of a request, its JSON stands for it as a name does for a file of the item.
 */

export function isBinaryObject(value: unknown): value is IBinaryData {
	const { mimeType, id, data, fileName } = Object(value) as Partial<IBinaryData>;
	return typeof mimeType === 'string' && [id, data, fileName].some(isText);
}

const isText = (value: unknown) => typeof value === 'string';

/** What stands for the file: what tells it from others, and its content only where n8n does not keep it. */
export function nameOfBinary({ id, data, mimeType, fileName, fileSize }: IBinaryData): string {
	return JSON.stringify({ mimeType, fileName, fileSize, ...(id ? { id } : { data }) });
}

/** The file that a name stands for, if it is such a description. */
export function binaryNamed(name: string): IBinaryData | undefined {
	if (!name.startsWith('{"mimeType":')) return undefined;
	try {
		return JSON.parse(name) as IBinaryData;
	} catch {
		return undefined;
	}
}
