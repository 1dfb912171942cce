import type { IBinaryData, IBinaryKeyData, IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { type HttpHelpers, reasonOf } from '../output/fetchFile';
import { extensionOf, kindOfFile, mediaType } from '../output/mediaFormat';
import { isPrivateUrl } from '../output/privateNetworks';
import { binaryNamed, nameOfBinary } from '../spec/file';
import type { Problem } from '../request/readRequest';
import type { LinkedFile, ServiceRequest } from '../service/request';
import { cleanText, parseUrl, shownAddress } from '../service/shownText';
import { firstInWords, isOwn, own, type Values } from '../spec/conditions';
import { type Field, fullNameOf } from '../spec/field';
import { UPLOAD_FORMATS, UPLOAD_FORMATS_IN_WORDS, type UploadMode } from '../spec/music/fields';
import type { Operation } from '../spec/operation';
import { linkBinary, type Linking, type StoreHelpers } from './linkBinary';
import { type FileSource, itemSource, uploadBody, urlSource } from './uploadBody';

/** The files of one item, checked. */
interface PlannedUploads {
	problems: Problem[];
	/** Files that are sent, by field; none for a URL that is sent as a text. */
	sources: Readonly<Record<string, FileSource>>;
	/** Files that the service fetches, by field, and by the text that names the file there. */
	links: Readonly<Record<string, Record<string, LinkedFile>>>;
}

/** For an item that sends nothing. */
export const NO_UPLOADS: PlannedUploads = { problems: [], sources: {}, links: {} };

/**
 * Checks all files that an item gives for an operation: audio that is uploaded, and pictures and videos
 * that the service fetches. Nothing is sent; the content of a URL is checked when it is fetched.
 *
 * @param values the item's values, already checked except for their files
 */
export async function planUploads(
	context: UploadContext,
	itemIndex: number,
	operation: Operation,
	values: Values,
	uploading: Uploading,
): Promise<PlannedUploads> {
	const problems: Problem[] = [];
	const sources: Record<string, FileSource> = {};
	const links: Record<string, Record<string, LinkedFile>> = {};
	for (const field of operation.fields.filter(isFile)) {
		for (const given of namesIn(own(values, field.name))) {
			const checked = await checkFile(context, itemIndex, field, given, uploading);
			const { rule, source, file } = checked;
			if (rule) problems.push({ field: field.name, message: `${fullNameOf(field)} ${rule}` });
			if (source) sources[field.name] = source;
			if (file) links[field.name] = { ...links[field.name], [given]: file };
		}
	}
	return { problems, sources, links };
}

/**
 * The request with its files: those that are sent take the place of what names them in its body.
 *
 * @param seconds how long the service can fetch the others, in s
 */
export function withFiles(
	request: ServiceRequest,
	{ sources, links }: PlannedUploads,
	{ mode, seconds }: Pick<Uploading, 'mode' | 'seconds'>,
): ServiceRequest {
	if (Object.keys(links).length > 0) request = { ...request, links: { seconds, files: links } };
	if (mode === 'url' || Object.keys(sources).length === 0) return request;
	const rest = Object.entries(request.body ?? {}).filter(([name]) => !isOwn(sources, name));
	const identities = Object.entries(sources).map(([name, { identity }]) => [name, identity]);
	const files: ServiceRequest['files'] = {
		identities: Object.fromEntries(identities),
		body: async (values, signal) => await uploadBody(values, mode, sources, signal),
	};
	return { ...request, body: Object.fromEntries(rest), files };
}

const isFile = ({ file }: Field) => file !== undefined;

/** The texts of a value that name files or are URLs. */
const namesIn = (value: unknown): string[] =>
	[value].flat().flatMap((one) => (typeof one === 'string' ? [one] : []));

/** The part of a node's context that is needed to get at the files of its items. */
export interface UploadContext {
	getInputData: IExecuteFunctions['getInputData'];
	helpers: StoreHelpers &
		HttpHelpers &
		Pick<IExecuteFunctions['helpers'], 'assertBinaryData' | 'binaryToBuffer'>;
}

interface Uploading extends Linking {
	/** How audio is uploaded. */
	mode: UploadMode;
}

/** A file that is uploaded or that the service fetches, or the rule it breaks; empty for a text that is sent as is. */
interface CheckedFile {
	source?: FileSource;
	file?: LinkedFile;
	rule?: string;
}

/**
 * Checks what the user gave for a file: a URL, or the name of a binary property of the item. By its type or its name,
 * that file has to be what the field takes: an image, a video, or an MP3 or WAV.
 */
async function checkFile(
	context: UploadContext,
	itemIndex: number,
	field: Field,
	value: string,
	uploading: Uploading,
): Promise<CheckedFile> {
	const given = value.trim();
	const isUploaded = field.file?.sent === 'upload' && uploading.mode !== 'url';
	if (isUrl(given)) return checkUrl(context, given, uploading, isUploaded);
	if (given.includes('://')) return { rule: `${NAME_OR_URL}, but is "${shownAddress(given)}"` };
	const data = binaryOf(context, itemIndex, given);
	if (!data) {
		const shown = cleanText(given, MOST_SHOWN);
		return { rule: `${NAME_OR_URL}, but the item has no "${shown}"${others(context, itemIndex)}` };
	}
	const { helpers } = context;
	try {
		const file = await describe(helpers, data, given);
		const rule = ruleOf(field, file);
		if (rule !== undefined) return { rule };
		if (isUploaded) return { source: itemSource(helpers, data, file) };
		return await linkBinary(helpers, data, file, uploading);
	} catch (error) {
		return { rule: `cannot be read from "${given}": ${reasonOf(error)}` };
	}
}

async function describe(
	helpers: StoreHelpers,
	{ id, data, fileName, mimeType }: IBinaryData,
	property: string,
): Promise<Omit<LinkedFile, 'id'>> {
	const size = id
		? (await helpers.getBinaryMetadata(id)).fileSize
		: Buffer.from(data, 'base64').length;
	return { name: fileName || property, type: mimeType, size };
}

/** The rule that a file breaks, in words that go after the field's name; none for a good one. */
function ruleOf({ file }: Field, { name, type, size }: Omit<LinkedFile, 'id'>) {
	const media = file?.media ?? 'audio';
	const told = mediaType(type);
	const isGood = media === 'audio' ? isAudio(told, name) : isMedia(media, told, name);
	if (isGood && size > 0) return undefined;
	const what = A[media];
	return `must be ${what}, but "${name}" is ${size === 0 ? 'empty' : told || 'of no such type'}`;
}

const A = { image: 'an image', video: 'a video', audio: `an ${UPLOAD_FORMATS_IN_WORDS} file` };

/** Where neither type nor name says what it is, it may be. */
const isMedia = (media: string, type: string, name: string) =>
	type === '' ? [media, undefined].includes(kindOfFile(name)) : type.startsWith(`${media}/`);

const isAudio = (type: string, name: string) =>
	UPLOAD_FORMATS.some(({ types, extension }) =>
		type === '' ? extension === extensionOf(name) : types.includes(type),
	);

function checkUrl(
	{ helpers }: UploadContext,
	url: string,
	{ mayBePrivate }: Uploading,
	isUploaded: boolean,
): CheckedFile {
	if (mayBePrivate || !isPrivateUrl(url))
		return isUploaded ? { source: urlSource(helpers, url, mayBePrivate) } : {};
	const who = isUploaded ? 'n8n' : 'the service';
	return { rule: `${OUTSIDE}, but is "${shownAddress(url)}": ${who} ${WHY_OUTSIDE}` };
}

const MOST_NAMES = 20;

/** How many characters of a wrong name are shown: it may be the file itself, as base64. */
const MOST_SHOWN = 100;

const NAME_OR_URL = 'must be the name of a binary property of the item or an http(s) URL';

const OUTSIDE = 'must not be inside a private network';

const WHY_OUTSIDE =
	'fetches files from there only while the Base URL is in one, too. Download it in a node before this one, and use its binary property here';

function isUrl(text: string): boolean {
	return /^https?:\/\/\S+$/i.test(text) && parseUrl(text) !== undefined;
}

/** Where a workflow with n8n's binary mode *combined* has the files of an item: in its JSON. */
const FILES_IN_JSON = '_files';

function binaryOf(
	context: UploadContext,
	itemIndex: number,
	property: string,
): IBinaryData | undefined {
	const told = binaryNamed(property);
	if (told) return binaryTold(context, itemIndex, told);
	try {
		const isOwnFile = isOwn(context.getInputData()[itemIndex]?.binary ?? {}, property);
		// Nothing else in the JSON is a file, whatever it looks like: it may come from outside.
		const isPath = isOwnFile || property.startsWith(`${FILES_IN_JSON}.`);
		const data = context.helpers.assertBinaryData(
			itemIndex,
			isPath ? property : `${FILES_IN_JSON}.${property}`,
		);
		// n8n also finds what every object has, such as `constructor`.
		return data.id || typeof data.data === 'string' ? data : undefined;
	} catch {
		return undefined;
	}
}

/** The file of an item that an expression has handed over: of this item, or what n8n itself takes for a file. */
function binaryTold(
	context: UploadContext,
	itemIndex: number,
	told: IBinaryData,
): IBinaryData | undefined {
	const isSame = (file: IBinaryData) =>
		nameOfBinary({ ...file, data: told.data }) === nameOfBinary(told);
	try {
		return (
			filesOf(context, itemIndex).find(isSame) ?? context.helpers.assertBinaryData(itemIndex, told)
		);
	} catch {
		return undefined;
	}
}

function filesOf(context: UploadContext, itemIndex: number): IBinaryData[] {
	const { binary, json = {} } = context.getInputData()[itemIndex] ?? {};
	return Object.values({ ...binary, ...Object(json[FILES_IN_JSON]) } as IBinaryKeyData);
}

/**
 * Fields whose expression asks for the item's files and finds none, although it has some: where a workflow has n8n's
 * binary mode *combined*, `$binary` is empty.
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
	const missed = fields.filter(
		({ name, file }) =>
			file?.sent === 'link' &&
			(own(values, name) ?? null) === null &&
			String(typed[name]).includes('$binary'),
	);
	return missed.map((field) => ({
		field: field.name,
		message: `${fullNameOf(field)} is an expression that finds no file, though the item has some: write {{ Object.keys({ ...$binary, ...$json._files }) }}`,
	}));
}

/** The files that the item has instead, in words. */
function others(context: UploadContext, itemIndex: number): string {
	const { binary, json = {} } = context.getInputData()[itemIndex] ?? {};
	const names = Object.keys({ ...binary, ...Object(json[FILES_IN_JSON]) });
	if (names.length === 0) return ', nor any other file';
	const shown = names.map((name) => `"${cleanText(name, MOST_SHOWN)}"`);
	return `; it has ${firstInWords(shown, MOST_NAMES)}`;
}
