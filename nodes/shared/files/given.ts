import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { attempt } from '../clock/clock';
import { InvalidValues } from '../request/request';
import type { NamedFile, ServiceRequest, Service } from '../service/service';
import { cleanText, shownAddress } from '../service/shownText';
import { isOwn, own, type Values } from '../spec/values';
import { type Field, type FileKind, fullNameOf } from '../spec/field';
import { binaryNamed } from '../spec/file';
import type { Operation } from '../spec/operation';
import { reasonOf } from './download';
import { isOutOfReach, kindOfFile, lastSegment, mediaType } from './media';
import { addressOf, contentOf } from './send';

/** An item of a node, and the service that its files go to. */
interface FilesOf {
	context: Pick<IExecuteFunctions, 'getInputData' | 'getNode' | 'helpers'>;
	itemIndex: number;
	service: Pick<Service, 'baseUrl' | 'uploadMode'>;
}

/**
 * The request with the files that an item gives for it: audio that it carries, and pictures and videos that the service
 * fetches. They are checked; nothing is sent, and the content of a URL is seen only when that is fetched.
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
		if (field.file && texts.length === 0 && isMissed(item, field)) {
			problems.push(`${fullNameOf(field)} ${MISSED}`);
		}
		for (const text of texts.map(String)) {
			const found = await fileGiven(item, field.file!, text);
			if (typeof found === 'string') problems.push(`${fullNameOf(field)} ${found}`);
			else if (found) files.push({ field: field.name, text, ...found });
		}
	}
	if (problems.length > 0) throw new InvalidValues(problems);
	return files.length > 0 ? { ...request, files } : request;
}

/** The file that is to be sent, if it is not the URL as it is; or the rule that is broken, to go after the field's name. */
type GivenFile = Omit<NamedFile, 'field' | 'text'> | string | undefined;

/** What the user gave for a file: a URL, or the name of a file of the item. */
async function fileGiven(item: FilesOf, kind: FileKind, text: string): Promise<GivenFile> {
	const isCarried = kind.sent === 'upload' && item.service.uploadMode !== 'url';
	if (text.includes('://')) {
		if (isOutOfReach(text, item.service)) return privateAddress(text);
		return isCarried ? { isCarried, name: lastSegment(text) || kind.media } : undefined;
	}
	const read = await attempt(itemFile(item, kind, isCarried, text));
	if ('value' in read) return read.value;
	// A wrong name may be the file itself, as base64.
	const [name, reason] = [text, reasonOf(read.error)].map((one) => cleanText(one, MOST_SHOWN));
	return `cannot be read from "${name}": ${reason}`;
}

const MOST_SHOWN = 150;

const privateAddress = (url: string) =>
	`must not be inside a private network, but is "${shownAddress(url)}": files are fetched from there only while the Base URL is in one, too. Download it in a node before this one, and use its binary property here`;

/**
 * A file of the item, where the service or the request can have it.
 *
 * @throws Error where there is none
 */
async function itemFile(
	item: FilesOf,
	{ media }: FileKind,
	isCarried: boolean,
	text: string,
): Promise<GivenFile> {
	const { helpers } = item.context;
	const data = binaryOf(item, text);
	const name = data.fileName || text;
	const size = data.id
		? (await helpers.getBinaryMetadata(data.id)).fileSize
		: Buffer.byteLength(data.data, 'base64');
	const type = mediaType(data.mimeType);
	// Where neither type nor name tells its kind, it may be.
	const kind = type.split('/', 1).join('') || (kindOfFile(name) ?? media);
	if (kind !== media) return `must be ${A[media]}, but "${name}" is ${type || 'of no such type'}`;
	if (isCarried) return { isCarried, name, size, data };
	const isKept = data.id && !data.id.includes(TEMPORARY);
	const kept = isKept ? data : await copyOf(helpers, data);
	if (!kept.id) return `cannot be the file "${name}": ${IN_MEMORY}`;
	const { origin } = new URL(addressOf(helpers, kept));
	return isOutOfReach(origin, item.service)
		? `cannot be the file "${name}": ${notOnTheInternet(origin)}`
		: { isCarried, name, size, data: kept };
}

const A = { image: 'an image', video: 'a video', audio: 'an MP3 or WAV file' };

/** Part of the IDs of files that came by a webhook or a form, which exist only until the execution ends. */
const TEMPORARY = '/temp/';

/** The file where it stays, if n8n keeps files on disk. */
const copyOf = async (helpers: IExecuteFunctions['helpers'], data: IBinaryData) =>
	await helpers.prepareBinaryData(await contentOf(helpers, data), data.fileName, data.mimeType);

const INSTEAD = 'Or upload the file to a public host before this node, and enter its URL';

const IN_MEMORY = `this n8n keeps files in memory, where they have no address. Set N8N_DEFAULT_BINARY_DATA_MODE=filesystem and start n8n again. ${INSTEAD}`;

const notOnTheInternet = (origin: string) =>
	`the service would fetch it from this n8n, whose address is ${origin}, and cannot reach that. Set WEBHOOK_URL to the address that n8n has on the internet, and start n8n again. ${INSTEAD}`;

/** Where a workflow with n8n's binary mode *combined* has the files of an item: in its JSON. */
const FILES_IN_JSON = '_files';

/**
 * The file of the item that has a name, or that an expression has handed over.
 *
 * @throws Error of n8n where there is none
 */
function binaryOf({ context, itemIndex }: FilesOf, text: string): IBinaryData {
	const { json = {} } = context.getInputData()[itemIndex] ?? {};
	const isPath = !isOwn(json, FILES_IN_JSON) || text.startsWith(`${FILES_IN_JSON}.`);
	const path = isPath ? text : `${FILES_IN_JSON}.${text}`;
	return context.helpers.assertBinaryData(itemIndex, binaryNamed(text) ?? path);
}

/**
 * Whether an expression asks for the item's files and finds none, although it has some: in a workflow with n8n's binary
 * mode *combined*, `$binary` is empty. The job would be made, and paid for, without them.
 */
function isMissed({ context, itemIndex }: FilesOf, { name }: Field): boolean {
	const files: object = Object(context.getInputData()[itemIndex]?.json[FILES_IN_JSON]);
	const typed = context.getNode().parameters[name];
	return Object.keys(files).length > 0 && String(typed).includes('$binary');
}

const MISSED =
	'is an expression that finds no file, though the item has some: write {{ Object.keys({ ...$binary, ...$json._files }) }}';
