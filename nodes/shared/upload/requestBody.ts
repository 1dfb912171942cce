import { SETTINGS_PLACE } from '../parameters/names';
import type { Values } from '../spec/conditions';
import type { UploadMode } from '../spec/music/uploads';
import { fileBytes } from './fileBytes';
import { unreadableFile } from './fileErrors';
import type { OpenFile, RequestBody, RequestFiles } from '../service/request';
import { MultipartForm } from './multipartForm';

/** Bytes of a file that can still be sent as text. */
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
	const content = await openAll(sources, opened, signal)
		.then(async () => await CONTENTS[as](body, opened))
		.catch((error: unknown) => {
			close();
			throw error;
		});
	const isRead = () => !(content instanceof MultipartForm) || content.isRead;
	return { content, isRead, close };
}

async function openAll(
	sources: RequestFiles['sources'],
	opened: Map<string, OpenFile>,
	signal?: AbortSignal,
): Promise<void> {
	for (const [field, source] of Object.entries(sources)) {
		opened.set(field, await source.open(signal));
	}
}

type Content = (body: Values, files: ReadonlyMap<string, OpenFile>) => Promise<object>;

const CONTENTS: Record<Exclude<UploadMode, 'url'>, Content> = { multipart: formOf, base64: textOf };

/** The files last: a service that reads a form as it arrives knows by then what they are for. */
async function formOf(...[body, files]: Parameters<Content>): Promise<MultipartForm> {
	const form = new MultipartForm();
	for (const [name, value] of Object.entries(body)) form.append(name, value);
	for (const [name, file] of files) form.appendFile(name, withSize(file));
	return form;
}

function withSize(file: OpenFile): OpenFile & { size: number } {
	const { name, size } = file;
	if (size !== undefined && Number.isInteger(size)) return { ...file, size };
	throw unreadableFile(
		`The file ${name}`,
		'its address does not tell its size (Content-Length)',
		'Download it in a node before this one, and use its binary property here.',
	);
}

async function textOf(...[body, files]: Parameters<Content>): Promise<Values> {
	const texts: Array<[string, string]> = [];
	for (const [name, file] of files) texts.push([name, await base64Of(file)]);
	return { ...body, ...Object.fromEntries(texts) };
}

async function base64Of(file: OpenFile): Promise<string> {
	const gathered: Buffer[] = [];
	let bytes = 0;
	refuseLarge(file, file.size ?? 0);
	for await (const chunk of fileBytes(file)) {
		bytes += chunk.length;
		refuseLarge(file, bytes);
		gathered.push(chunk);
	}
	return Buffer.concat(gathered).toString('base64');
}

function refuseLarge({ name }: OpenFile, bytes: number): void {
	if (bytes <= MAX_TEXT_BYTES) return;
	throw unreadableFile(`The file ${name}`, 'it is too large to be sent as text', OTHER_MODE);
}
