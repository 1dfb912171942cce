import type { IBinaryData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { systemClock } from '../clock/clock';
import { InvalidValues, type Problem } from '../request/readRequest';
import type { Readable } from '../service/service';
import type { LinkedFile, ServiceRequest } from '../service/request';
import { cleanText, shownAddress } from '../service/shownText';
import { isOwn, own, type Values } from '../spec/conditions';
import { type Field, type FileKind, fullNameOf } from '../spec/field';
import { binaryNamed, nameOfBinary } from '../spec/file';
import { UPLOAD_FORMATS_IN_WORDS, type UploadMode } from '../spec/music/fields';
import type { Operation } from '../spec/operation';
import { fetchFile, reasonOf } from './download';
import { isPrivateUrl, isUrl, kindOfFile, lastSegment, mediaType } from './media';
import { addressOf, type Upload, uploadBody } from './send';

/** An item of a node, and how its files are sent. */
interface FilesOf {
	context: Pick<IExecuteFunctions, 'getInputData' | 'helpers'>;
	itemIndex: number;
	/** How files that the request carries are sent. */
	mode: UploadMode;
	/** How long the service can fetch the others, in s. */
	seconds: number;
	/** Whether the service is inside a private network: it may reach n8n there, and n8n fetches files from there. */
	mayBePrivate: boolean;
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
	const problems: Problem[] = [];
	const links: Record<string, Record<string, LinkedFile>> = {};
	const uploads: Record<string, Upload> = {};
	for (const field of operation.fields) {
		for (const given of field.file ? [own(values, field.name)].flat() : []) {
			if (typeof given !== 'string') continue;
			const found = await fileGiven(item, field.file!, given.trim());
			if (typeof found === 'string') problems.push(problem(field, found));
			else if ('read' in found) uploads[field.name] = found;
			else if ('id' in found) links[field.name] = { ...links[field.name], [given]: found };
		}
	}
	if (problems.length > 0) throw new InvalidValues(problems);
	const { mode, seconds } = item;
	if (Object.keys(links).length > 0) request = { ...request, links: { seconds, files: links } };
	if (Object.keys(uploads).length === 0) return request;
	// They take the place of what names them in the body.
	const rest = Object.entries(request.body ?? {}).filter(([name]) => !isOwn(uploads, name));
	const identities = Object.entries(uploads).map(([name, { identity }]) => [name, identity]);
	const files: ServiceRequest['files'] = {
		identities: Object.fromEntries(identities),
		body: async (body, signal) => await uploadBody(body, mode, uploads, signal),
	};
	return { ...request, body: Object.fromEntries(rest), files };
}

const problem = (field: Field, rule: string): Problem => ({
	field: field.name,
	message: `${fullNameOf(field)} ${rule}`,
});

/** A URL that is sent as it is. */
const AS_IT_IS = {};

/** What is to be sent, or the rule that is broken, in words that go after the field's name. */
type Found = Upload | LinkedFile | typeof AS_IT_IS | string;

/** What the user gave for a file: a URL, or the name of a file of the item. */
async function fileGiven(item: FilesOf, { media, sent }: FileKind, given: string): Promise<Found> {
	const isUploaded = sent === 'upload' && item.mode !== 'url';
	if (given.includes('://')) {
		const shown = shownAddress(given);
		if (!isUrl(given)) return `${NAME_OR_URL}, but is "${shown}"`;
		if (!item.mayBePrivate && isPrivateUrl(given)) return inside(shown, isUploaded);
		return isUploaded ? urlUpload(item, given) : AS_IT_IS;
	}
	const { helpers } = item.context;
	try {
		const data = binaryOf(item, given);
		const { id, mimeType: type, fileName } = data;
		const name = fileName || given;
		const size = id ? (await helpers.getBinaryMetadata(id)).fileSize : bytesIn(data).length;
		// Where neither type nor name tells its kind, it may be.
		const kind = mediaType(type).split('/', 1).join('') || (kindOfFile(name) ?? media);
		if (kind !== media)
			return `must be ${A[media]}, but "${name}" is ${mediaType(type) || 'of no such type'}`;
		const identity = { name, type, size };
		if (!isUploaded) return await linked(item, data, identity);
		const bytes = async () => await helpers.binaryToBuffer(await contentOf(helpers, data));
		return { identity, read: async () => new File([await bytes()], name, { type }) };
	} catch (error) {
		// A wrong name may be the file itself, as base64.
		const [name, reason] = [given, reasonOf(error)].map((text) => cleanText(text, MOST_SHOWN));
		return `cannot be read from "${name}": ${reason}`;
	}
}

const MOST_SHOWN = 150;

const A = { image: 'an image', video: 'a video', audio: `an ${UPLOAD_FORMATS_IN_WORDS} file` };

const NAME_OR_URL = 'must be the name of a binary property of the item or an http(s) URL';

const inside = (shown: string, isUploaded: boolean) =>
	`must not be inside a private network, but is "${shown}": ${isUploaded ? 'n8n' : 'the service'} fetches files from there only while the Base URL is in one, too. Download it in a node before this one, and use its binary property here`;

const contentOf = async (helpers: IExecuteFunctions['helpers'], file: IBinaryData) =>
	file.id ? await helpers.getBinaryStream(file.id) : bytesIn(file);

const bytesIn = ({ data }: IBinaryData) => Buffer.from(data, 'base64');

/** A file at an address, which is fetched when the request is sent. */
function urlUpload({ context: { helpers }, mayBePrivate }: FilesOf, url: string): Upload {
	const read: Upload['read'] = async (signal) => {
		const fetching = { helpers, clock: systemClock, signal, mayBePrivate };
		const name = lastSegment(url) || 'audio';
		const take = async (body: Readable, type: string) =>
			new File([await helpers.binaryToBuffer(body)], name, { type });
		return await fetchFile(url, fetching, take);
	};
	return { identity: { url }, read };
}

/** Part of the IDs of files that came by a webhook or a form, which exist only until the execution ends. */
const TEMPORARY = '/temp/';

/** A file where n8n can give it an address: a copy if it is in the item itself, or in a place where it does not stay. */
async function linked(
	{ context: { helpers }, seconds, mayBePrivate }: FilesOf,
	data: IBinaryData,
	file: Omit<LinkedFile, 'id'>,
): Promise<LinkedFile | string> {
	const { fileName, mimeType } = data;
	const isKept = data.id && !data.id.includes(TEMPORARY);
	const { id } = isKept
		? data
		: await helpers.prepareBinaryData(await contentOf(helpers, data), fileName, mimeType);
	if (!id) return `cannot be the file "${file.name}": ${IN_MEMORY}`;
	const address = addressOf(helpers, id, seconds);
	if (isUrl(address) && (mayBePrivate || !isPrivateUrl(address))) return { id, ...file };
	const origin = isUrl(address) ? new URL(address).origin : shownAddress(address);
	return `cannot be the file "${file.name}": the service would fetch it from this n8n, whose address is ${origin}, and cannot reach that. Set WEBHOOK_URL to the address that n8n has on the internet, and start n8n again. ${INSTEAD}`;
}

const INSTEAD = 'Or upload the file to a public host before this node, and enter its URL';

const IN_MEMORY = `this n8n keeps files in memory, where they have no address. Set N8N_DEFAULT_BINARY_DATA_MODE=filesystem and start n8n again. ${INSTEAD}`;

/** Where a workflow with n8n's binary mode *combined* has the files of an item: in its JSON. */
const FILES_IN_JSON = '_files';

/**
 * The file of the item that has a name, or that an expression has handed over.
 *
 * @throws Error of n8n where there is none
 */
function binaryOf({ context, itemIndex }: FilesOf, given: string): IBinaryData {
	const { json = {}, binary = {} } = context.getInputData()[itemIndex] ?? {};
	const isPath = !isOwn(json, FILES_IN_JSON) || given.startsWith(`${FILES_IN_JSON}.`);
	const path = isPath ? given : `${FILES_IN_JSON}.${given}`;
	const told = binaryNamed(given);
	// `$binary.data` is without the content.
	const isTold = (file: IBinaryData) => nameOfBinary({ ...file, data: told!.data }) === given;
	const same = told && Object.values(binary).find(isTold);
	return context.helpers.assertBinaryData(itemIndex, same ?? told ?? path);
}

/**
 * Fields whose expression asks for the item's files and finds none, although it has some: in a workflow with n8n's binary
 * mode *combined*, `$binary` is empty. The job would be made, and paid for, without them.
 *
 * @param typed the node's parameters, with expressions as they are written
 */
export function missedFiles(
	{ fields }: Operation,
	values: Values,
	typed: IDataObject,
	{ [FILES_IN_JSON]: files = {} }: IDataObject,
): Problem[] {
	if (Object.keys(Object(files)).length === 0) return [];
	const isMissed = ({ name, file }: Field) =>
		file && (values[name] ?? null) === null && String(typed[name]).includes('$binary');
	return fields.filter(isMissed).map((field) => problem(field, MISSED));
}

const MISSED =
	'is an expression that finds no file, though the item has some: write {{ Object.keys({ ...$binary, ...$json._files }) }}';
