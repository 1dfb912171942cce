import { reasonOf } from '../output/openFile';
import { SETTINGS_PLACE } from '../parameters/names';
import type { OpenFile, RequestBody, RequestFiles } from '../service/request';
import { ServiceError, UPLOAD_NOT_SENT } from '../service/serviceError';
import type { Values } from '../spec/conditions';

/** How many bytes of files can be sent as text: the body is one string, and Node allows none that is much longer. */
const MAX_TEXT_BYTES = 256 * 1024 * 1024;

const OTHER_MODE = `Choose Multipart Form in ${SETTINGS_PLACE}.`;

/**
 * Opens files and makes the body that carries them.
 *
 * @param signal gives up opening and reading them
 * @throws ServiceError when a file cannot be read; nothing has been sent
 */
export async function openBody(
	body: Values,
	{ as, sources }: Pick<RequestFiles, 'as' | 'sources'>,
	signal?: AbortSignal,
): Promise<RequestBody> {
	const opened = new Map<string, OpenFile>();
	const close = () => opened.forEach((file) => file.close());
	const makeContent = async () => {
		for (const [field, source] of Object.entries(sources)) {
			opened.set(field, await source.open(signal));
		}
		return as === 'base64' ? await textOf(body, opened) : formOf(body, opened);
	};
	const content = await makeContent().catch((error: unknown) => {
		close();
		throw error;
	});
	const isRead = () => !(content instanceof MultipartForm) || content.isRead;
	return { content, isRead, close };
}

type Files = ReadonlyMap<string, OpenFile>;

/** Puts the files last: a service that reads a form as it arrives then knows what they are for. */
function formOf(body: Values, files: Files): MultipartForm {
	const form = new MultipartForm();
	for (const [name, value] of Object.entries(body)) form.append(name, value);
	for (const [name, file] of files) form.appendFile(name, withSize(file));
	return form;
}

function withSize(file: OpenFile): SizedFile {
	const { name, size } = file;
	if (size !== undefined && Number.isInteger(size)) return { ...file, size };
	throw unreadableFile(
		`The file ${name}`,
		'its address does not tell its size (Content-Length)',
		'Download it in a node before this one, and use its binary property here.',
	);
}

async function textOf(body: Values, files: Files): Promise<Values> {
	const texts: Array<[string, string]> = [];
	let before = 0;
	for (const [name, file] of files) {
		const bytes = await bytesOf(file, before);
		before += bytes.length;
		texts.push([name, bytes.toString('base64')]);
	}
	return { ...body, ...Object.fromEntries(texts) };
}

/** @param before how many bytes the files before this one have */
async function bytesOf(file: OpenFile, before: number): Promise<Buffer> {
	const gathered: Buffer[] = [];
	let bytes = before;
	refuseLarge(file, before + (file.size ?? 0));
	for await (const chunk of fileBytes(file)) {
		bytes += chunk.length;
		refuseLarge(file, bytes);
		gathered.push(chunk);
	}
	return Buffer.concat(gathered);
}

function refuseLarge({ name }: OpenFile, bytes: number): void {
	if (bytes <= MAX_TEXT_BYTES) return;
	throw unreadableFile(`The file ${name}`, 'it is too large to be sent as text', OTHER_MODE);
}

type SizedFile = OpenFile & { size: number };

/** A part of a form that n8n's HTTP client streams, since it has the shape of a Blob. */
interface StreamedPart {
	/** File name; none for a part that is not a file. */
	name?: string;
	/** MIME type. */
	type: string;
	/** Bytes. */
	size: number;
	stream(): AsyncIterable<Uint8Array>;
}

type Part = string | StreamedPart;

/**
 * A multipart form for n8n's HTTP client (axios), which accepts anything with the shape of the standard
 * FormData, sends its parts one after another as they are read, and states the length of the whole
 * beforehand.
 */
export class MultipartForm {
	/** An own property of the object: n8n does not send an object that has none. */
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
		this.parts.push([name, /[\r\n]/.test(text) ? textPart(text) : text]);
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

	/** The bytes of a file, which must be as many as its size says. */
	private async *read(file: SizedFile): AsyncGenerator<Buffer> {
		const { name, size } = file;
		let bytes = 0;
		for await (const chunk of fileBytes(file)) {
			bytes += chunk.length;
			if (bytes > size) break;
			yield chunk;
		}
		if (bytes !== size)
			throw unreadableFile(`The file ${name}`, `it has not the ${size} bytes that were told`);
		this.unread.delete(file);
	}
}

/**
 * A text of several lines. In a plain string, line breaks would become CRLF on the way, which could also
 * make it longer than the service accepts.
 */
function textPart(text: string): StreamedPart {
	const bytes = Buffer.from(text);
	return { type: 'text/plain; charset=utf-8', size: bytes.length, stream: () => once(bytes) };
}

export async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
	yield bytes;
}

/** The bytes of a file; an error while they are read says which file it is. */
async function* fileBytes({ chunks, name }: OpenFile): AsyncGenerator<Buffer> {
	const iterator = chunks[Symbol.asyncIterator]();
	for (;;) {
		const { done, value } = await iterator.next().catch((error: unknown) => {
			throw unreadableFile(`The file ${name}`, `reading it broke off (${reasonOf(error)})`);
		});
		if (done) return;
		yield value;
	}
}

/** A file that could not be read while the request was made or sent. */
export function unreadableFile(what: string, reason: string, advice = ''): ServiceError {
	return new ServiceError({
		message: `${what} could not be uploaded: ${reason}`,
		description: [advice, UPLOAD_NOT_SENT].filter(Boolean).join(' '),
		outcome: 'notSent',
	});
}
