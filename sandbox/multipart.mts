import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';

import { audioProblem, UploadedFile } from './uploads.mts';

/** A multipart form (RFC 7578), by field; the content of files is not kept. */
export type Form = NonNullable<Awaited<ReturnType<typeof readForm>>>;

/** Longest text of a field, in characters. */
const MAX_TEXT = 1024 * 1024;

/**
 * Reads a form.
 *
 * @returns `undefined` when the form is malformed or cut off, or has too long a text
 */
export async function readForm(body: AsyncIterable<Buffer>, contentType: string) {
	const answer = new Response(await buffer(body), { headers: { 'Content-Type': contentType } });
	const entries = await answer.formData().catch(() => undefined);
	if (!entries) return undefined;
	const fields: Record<string, string> = {};
	const files: Record<string, UploadedFile> = {};
	for (const [name, value] of entries) {
		if (typeof value !== 'string') files[name] = await uploaded(value);
		else if (value.length <= MAX_TEXT) fields[name] = value;
		else return undefined;
	}
	return { fields, files };
}

async function uploaded(file: File): Promise<UploadedFile> {
	const bytes = Buffer.from(await file.arrayBuffer());
	const sha256 = createHash('sha256').update(bytes).digest('hex');
	return new UploadedFile(file.name, file.type, bytes.length, sha256, audioProblem(bytes));
}
