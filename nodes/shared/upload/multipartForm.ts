import { fileBytes } from './fileBytes';
import { unreadableFile } from './fileErrors';
import type { OpenFile } from '../service/request';

type SizedFile = OpenFile & { size: number };

/** What n8n's HTTP client streams as a part of a form: it has the shape of a Blob. */
interface StreamedPart {
	/** File name; none for a part that is no file. */
	name?: string;
	/** MIME type. */
	type: string;
	/** Bytes. */
	size: number;
	stream(): AsyncIterable<Uint8Array>;
}

type Part = string | StreamedPart;

/**
 * A multipart form, made for n8n's HTTP client (axios): that takes anything of the shape of the
 * standard's FormData, sends its parts one after another as they are read, and tells the length of
 * the whole beforehand.
 */
export class MultipartForm {
	/** A property of its own: n8n sends no object without one. */
	private readonly parts: Array<[name: string, part: Part]> = [];

	private readonly unread = new Set<SizedFile>();

	/** Whether all of it has been handed over to be sent. */
	get isRead(): boolean {
		return this.unread.size === 0;
	}

	get [Symbol.toStringTag](): string {
		return 'FormData';
	}

	/** @param value a number or boolean becomes its text, an object or list its JSON */
	append(name: string, value: unknown): void {
		const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
		this.parts.push([name, hasLines(text) ? textPart(text) : text]);
	}

	/** @param file its size has to be known */
	appendFile(name: string, file: SizedFile): void {
		this.unread.add(file);
		const { name: fileName, type, size } = file;
		const stream = () => this.read(file);
		this.parts.push([name, { name: fileName, type, size, stream }]);
	}

	[Symbol.iterator](): IterableIterator<[string, Part]> {
		return this.entries();
	}

	entries(): IterableIterator<[string, Part]> {
		return this.parts.values();
	}

	private async *read(file: SizedFile): AsyncGenerator<Buffer> {
		yield* exactly(file);
		this.unread.delete(file);
	}
}

/** The file, which must have as many bytes as were told. */
async function* exactly(file: SizedFile): AsyncGenerator<Buffer> {
	const { name, size } = file;
	let bytes = 0;
	for await (const chunk of fileBytes(file)) {
		bytes += chunk.length;
		if (bytes > size) break;
		yield chunk;
	}
	if (bytes === size) return;
	throw unreadableFile(`The file ${name}`, `it has not the ${size} bytes that were told`);
}

/**
 * A text of several lines. As a plain string its line breaks would become CRLF on the way, which
 * also makes it longer than the service may take.
 */
function textPart(text: string): StreamedPart {
	const bytes = Buffer.from(text);
	return { type: 'text/plain; charset=utf-8', size: bytes.length, stream: () => once(bytes) };
}

const hasLines = (text: string) => /[\r\n]/.test(text);

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
	yield bytes;
}
