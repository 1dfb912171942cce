import { createHash } from 'node:crypto';

import { HEAD_BYTES, UploadedFile } from './uploads.mts';

/** A multipart form (RFC 7578), by field; the content of files is not kept. */
export interface Form {
	fields: Record<string, string>;
	files: Record<string, UploadedFile>;
}

/** Bytes of a part's headers, and of a field, at most. */
const MAX_TEXT_BYTES = 1024 * 1024;

/**
 * Reads a form as it arrives: whatever the size of its files, little memory is needed.
 *
 * @returns `undefined` when it is no form that ends as one should
 */
export async function readForm(
	body: AsyncIterable<Buffer>,
	contentType: string,
): Promise<Form | undefined> {
	const boundary = /\bboundary="?([^";]+)/i.exec(contentType)?.[1];
	const input = new Input(body);
	const form = boundary === undefined ? undefined : await readParts(input, `\r\n--${boundary}`);
	await input.drain();
	return form;
}

async function readParts(input: Input, delimiter: string): Promise<Form | undefined> {
	const form: Form = { fields: {}, files: {} };
	// What comes before the first delimiter means nothing.
	if ((await gather(input.until(delimiter))) === undefined) return undefined;
	for (;;) {
		const next = await input.take(2);
		if (next === '--') return form;
		const headers = next === '\r\n' ? await gather(input.until('\r\n\r\n')) : undefined;
		if (headers === undefined || input.isCut) return undefined;
		if (!(await readPart(form, headersIn(headers), input.until(delimiter)))) return undefined;
		if (input.isCut) return undefined;
	}
}

type Headers = Readonly<Record<string, string>>;

async function readPart(form: Form, headers: Headers, content: AsyncIterable<Buffer>) {
	const disposition = headers['content-disposition'] ?? '';
	const name = parameterOf(disposition, 'name');
	const fileName = parameterOf(disposition, 'filename');
	if (name === undefined) return false;
	if (fileName !== undefined) {
		const { size, sha256, head } = await digest(content);
		const type = headers['content-type'] ?? '';
		form.files[name] = new UploadedFile(fileName, type, size, sha256, head);
		return true;
	}
	const text = await gather(content);
	if (text !== undefined) form.fields[name] = text;
	return text !== undefined;
}

async function digest(content: AsyncIterable<Buffer>) {
	const hash = createHash('sha256');
	let head = Buffer.alloc(0);
	let size = 0;
	for await (const chunk of content) {
		hash.update(chunk);
		size += chunk.length;
		if (head.length < HEAD_BYTES) head = Buffer.concat([head, chunk]).subarray(0, HEAD_BYTES);
	}
	return { size, sha256: hash.digest('hex'), head: Buffer.from(head) };
}

/** The text of a short content. */
async function gather(content: AsyncIterable<Buffer>): Promise<string | undefined> {
	const chunks: Buffer[] = [];
	let bytes = 0;
	for await (const chunk of content) {
		bytes += chunk.length;
		if (bytes > MAX_TEXT_BYTES) return undefined;
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
}

function headersIn(text: string): Headers {
	const lines = text.split('\r\n').map((line) => /^([^:]+):\s*(.*)$/.exec(line) ?? []);
	return Object.fromEntries(
		lines.map(([, name = '', value = '']): [string, string] => [name.toLowerCase(), value]),
	);
}

function parameterOf(disposition: string, name: string): string | undefined {
	return new RegExp(`[; ]${name}="([^"]*)"`, 'i').exec(disposition)?.[1];
}

/** Bytes that arrive, cut at markers. */
class Input {
	private readonly chunks: AsyncIterator<Buffer>;

	// The first delimiter need not have a line break before it.
	private buffered: Buffer = Buffer.from('\r\n');

	/** It ended where something was still expected. */
	isCut = false;

	constructor(body: AsyncIterable<Buffer>) {
		this.chunks = body[Symbol.asyncIterator]();
	}

	/** What comes before the marker, which is passed. */
	async *until(marker: string): AsyncGenerator<Buffer> {
		let at = this.buffered.indexOf(marker);
		while (at < 0) {
			// The end of what is there may be the start of the marker.
			const certain = Math.max(0, this.buffered.length - marker.length + 1);
			if (certain > 0) yield this.remove(certain);
			if (!(await this.receive())) {
				this.isCut = true;
				return;
			}
			at = this.buffered.indexOf(marker);
		}
		if (at > 0) yield this.remove(at);
		this.remove(marker.length);
	}

	async take(count: number): Promise<string> {
		while (this.buffered.length < count && (await this.receive()));
		return this.remove(count).toString('latin1');
	}

	async drain(): Promise<void> {
		do this.buffered = Buffer.alloc(0);
		while (await this.receive());
	}

	private remove(count: number): Buffer {
		const removed = this.buffered.subarray(0, count);
		this.buffered = this.buffered.subarray(count);
		return removed;
	}

	private async receive(): Promise<boolean> {
		const { done, value } = await this.chunks.next();
		if (done) return false;
		this.buffered = Buffer.concat([this.buffered, value]);
		return true;
	}
}
