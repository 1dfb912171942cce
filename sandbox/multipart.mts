import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';

import { audioProblem, UploadedFile } from './uploads.mts';

/** A multipart form (RFC 7578), by field; the content of files is not kept. */
export interface Form {
	fields: Record<string, string>;
	files: Record<string, UploadedFile>;
}

/** Characters of a field, at most. */
const MAX_TEXT = 1024 * 1024;

/**
 * Reads a form.
 *
 * @returns `undefined` when it is no form that ends as one should
 */
export async function readForm(
	body: AsyncIterable<Buffer>,
	contentType: string,
): Promise<Form | undefined> {
	const answer = new Response(await buffer(body), { headers: { 'Content-Type': contentType } });
	const entries = await answer.formData().catch(() => undefined);
	if (!entries) return undefined;
	const form: Form = { fields: {}, files: {} };
	for (const [name, value] of entries) {
		if (typeof value !== 'string') form.files[name] = await uploaded(value);
		else if (value.length <= MAX_TEXT) form.fields[name] = value;
		else return undefined;
	}
	return form;
}

async function uploaded(file: File): Promise<UploadedFile> {
	const bytes = Buffer.from(await file.arrayBuffer());
	const sha256 = createHash('sha256').update(bytes).digest('hex');
	return new UploadedFile(file.name, file.type, bytes.length, sha256, audioProblem(bytes));
}
