import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { attempt } from '../clock/clock';
import { InvalidValues, NOTHING_SENT_FOR_ITEM } from '../request/request';
import { NOTHING_SENT, ServiceError } from '../service/serviceError';
import type { NamedFile, Readable, ServiceRequest } from '../service/service';
import { cleanText, shownAddress } from '../service/shownText';
import { type FileKind, fullNameOf } from '../spec/field';
import { binaryNamed } from '../spec/file';
import type { Operation } from '../spec/operation';
import { isPrivate } from '../spec/url';
import { own, type Values } from '../spec/values';
import { fetchFile, type Fetching, reasonOf } from './download';
import { kindOfFile, lastSegment, mediaType } from './media';

type Helpers = Fetching['helpers'];

/** An item of a node, and the service that its files go to. */
interface FilesOf extends Pick<Fetching, 'service'> {
	helpers: IExecuteFunctions['helpers'];
	itemIndex: number;
	/** The names of its files. */
	names: readonly string[];
}

/**
 * The request with the files that an item gives for it: audio that it carries, and pictures and videos that the service
 * fetches. They are checked, and kept where n8n would drop them; nothing is sent, and the content of a URL is seen only
 * when that is fetched.
 *
 * @param values the item's, already checked except for their files
 * @throws InvalidValues where a file cannot be used
 */
export async function withFiles(
	item: FilesOf,
	{ operation, values, request }: { operation: Operation; values: Values; request: ServiceRequest },
): Promise<ServiceRequest> {
	const problems: string[] = [];
	const files: NamedFile[] = [];
	for (const field of operation.fields) {
		const texts = field.file ? [own(values, field.name) ?? []].flat() : [];
		for (const text of texts.map(String)) {
			const found = await fileGiven(item, field.file!, text);
			if (found && 'broken' in found) problems.push(`${fullNameOf(field)} ${found.broken}`);
			else if (found) files.push({ field: field.name, text, ...found });
		}
	}
	if (problems.length > 0) throw new InvalidValues(problems, NOTHING_SENT_FOR_ITEM);
	return files.length > 0 ? { ...request, files } : request;
}

/** The file that is to be sent, if it is not the URL as it is; or the broken rule, which follows the field's name. */
type GivenFile = Omit<NamedFile, 'field' | 'text'> | { broken: string } | undefined;

/** What the user gave for a file: a URL, or the name of a file of the item. */
async function fileGiven(item: FilesOf, kind: FileKind, text: string): Promise<GivenFile> {
	const { baseUrl, uploadMode } = item.service;
	const isCarried = kind.sent === 'upload' && uploadMode !== 'url';
	if (text.includes('://')) {
		if (isPrivate(text) && !isPrivate(baseUrl)) return { broken: privateAddress(text) };
		return isCarried ? { isCarried, name: lastSegment(text) || kind.media } : undefined;
	}
	const read = await attempt(itemFile(item, kind, isCarried, text));
	if ('value' in read) return read.value;
	// A wrong name may be the file itself, as base64.
	const [name, reason] = [text, reasonOf(read.error)].map((one) => cleanText(one, MOST_SHOWN));
	const isWrong = item.names.length > 0 && !item.names.includes(text);
	const others = isWrong ? `. The item has: ${item.names.join(', ')}` : '';
	return { broken: `cannot be read from "${name}": ${reason}${others}` };
}

const MOST_SHOWN = 150;

const privateAddress = (url: string) =>
	`must not be inside a private network, but is "${shownAddress(url)}": files are fetched from there only while the Base URL is in one, too. Download it in a node before this one, and use its binary field here`;

/**
 * A file of the item, where the service or the request can have it.
 *
 * @throws Error of n8n where there is none
 */
async function itemFile(
	{ helpers, itemIndex, service }: FilesOf,
	{ media }: FileKind,
	isCarried: boolean,
	text: string,
): Promise<GivenFile> {
	const described = binaryNamed(text);
	const data = described ?? helpers.assertBinaryData(itemIndex, text);
	if (!data.id && !data.data) return { broken: WITHOUT_CONTENT };
	const name = data.fileName || (described ? media : text);
	const size = data.id
		? (await helpers.getBinaryMetadata(data.id)).fileSize
		: Buffer.byteLength(data.data, 'base64');
	const type = mediaType(data.mimeType);
	// Where neither type nor name tells its kind, it may be.
	const kind = type.split('/', 1).join('') || (kindOfFile(name) ?? media);
	if (kind !== media)
		return { broken: `must be ${A[media]}, but "${name}" is ${type || 'of no such type'}` };
	if (isCarried) return { isCarried, name, size, data };
	const isKept = data.id && !data.id.includes(TEMPORARY);
	const kept = isKept ? data : await copyOf(helpers, data);
	if (!kept.id) return { broken: `cannot be the file "${name}": ${IN_MEMORY}` };
	const { origin } = new URL(addressOf(helpers, kept));
	return isPrivate(origin) && !isPrivate(service.baseUrl)
		? { broken: `cannot be the file "${name}": ${notOnTheInternet(origin)}` }
		: { isCarried, name, size, data: kept };
}

const A = { image: 'an image', video: 'a video', audio: 'an MP3 or WAV file' };

/** Part of the IDs of files that came by a webhook or a form, which exist only until the execution ends. */
const TEMPORARY = '/temp/';

/** The file where it stays, if n8n keeps files on disk. */
const copyOf = async (helpers: Helpers, data: IBinaryData) =>
	await helpers.prepareBinaryData(await contentOf(helpers, data), data.fileName, data.mimeType);

/** The content of a file, wherever n8n keeps it. */
const contentOf = async (helpers: Helpers, { id, data }: IBinaryData) =>
	id ? await helpers.getBinaryStream(id) : Buffer.from(data, 'base64');

/** How long the service can fetch a file from n8n: the job may be queued, or nobody may wait for it. */
const FETCHED_WITHIN = '86400s';

/** An address at which anybody can fetch a file of n8n's store for a while, without a login. */
const addressOf = (helpers: Helpers, file: IBinaryData): string =>
	helpers.createBinarySignedUrl(file, FETCHED_WITHIN);

const WITHOUT_CONTENT =
	'is a file that this n8n keeps in memory, which an expression hands over without its content: enter its name, such as data';

const INSTEAD = 'Or upload the file to a public host before this node, and enter its URL';

const IN_MEMORY = `this n8n keeps files in memory, where they have no address. Set N8N_DEFAULT_BINARY_DATA_MODE=filesystem and start n8n again. ${INSTEAD}`;

const notOnTheInternet = (origin: string) =>
	`the service would fetch it from this n8n, whose address is ${origin}, and cannot reach that. Set WEBHOOK_URL to the address that n8n has on the internet, and start n8n again. ${INSTEAD}`;

/**
 * The body of a request as it is sent, with its files in place of their names: an object that is sent as JSON, or a form.
 *
 * @throws ServiceError when a file cannot be read; nothing has been sent
 */
export async function bodyWithFiles(
	{ body = {}, files = [] }: ServiceRequest,
	sending: Fetching,
): Promise<object> {
	let values = body;
	for (const named of files) {
		const { field, text, data, isCarried } = named;
		const { [field]: given, ...others } = values;
		const file = isCarried ? await carried(named, sending) : addressOf(sending.helpers, data!);
		const inPlace = (one: unknown) => (one === text ? file : one);
		// Last: a service that reads a form as it arrives then knows what the file is for.
		values = { ...others, [field]: Array.isArray(given) ? given.map(inPlace) : inPlace(given) };
	}
	return Object.values(values).some((value) => value instanceof File) ? formOf(values) : values;
}

function formOf(values: Values): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(values)) {
		if (value instanceof File) form.append(name, value);
		else form.append(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
	}
	return form;
}

/** A file as a request carries it: for a form, or else in base64. @throws ServiceError when it cannot be read */
async function carried(file: NamedFile, sending: Fetching): Promise<File | string> {
	const { data, name, text } = file;
	const { helpers, service } = sending;
	const read = async (content: Buffer | Readable, type: string) => {
		const bytes = await helpers.binaryToBuffer(content);
		return service.uploadMode === 'multipart'
			? new File([bytes], name, { type })
			: bytes.toString('base64');
	};
	const reading = data
		? contentOf(helpers, data).then(async (content) => await read(content, data.mimeType))
		: fetchFile(text, sending, read);
	return await reading.catch((error: unknown) => {
		const shown = data ? name : shownAddress(text);
		const message = `The file ${shown} could not be uploaded: ${reasonOf(error)}`;
		throw new ServiceError({ message, description: NOTHING_SENT, outcome: 'notSent' });
	});
}
