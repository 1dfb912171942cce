import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import { type HttpHelpers, reasonOf } from '../output/openFile';
import { isPrivateUrl } from '../output/privateNetworks';
import type { Problem } from '../request/validate';
import type { ServiceRequest, FileSource, RequestFiles } from '../service/request';
import { shownAddress } from '../service/shownText';
import { isOwn, listInWords, own, type Values } from '../spec/conditions';
import { UPLOAD_SETTING, type UploadMode } from '../spec/music/fields';
import type { Field, Operation } from '../spec/types';
import { inspectBinary, type BinaryHelpers } from './binaryFile';
import { audioProblem, audioWarning } from './inspectAudio';
import { openBody } from './requestBody';
import { urlFile } from './urlFile';

/** The files of one item, checked. */
interface PlannedUploads {
	problems: Problem[];
	/** What the user had better know of files that can be sent. */
	warnings: string[];
	/** By field; none for a URL that is sent as a text. */
	sources: Readonly<Record<string, FileSource>>;
}

/**
 * Checks all files that an item gives for an operation.
 *
 * @param values the item's values, checked for themselves
 */
export async function planUploads(
	context: UploadContext,
	itemIndex: number,
	operation: Operation,
	values: Values,
	uploading: Uploading,
): Promise<PlannedUploads> {
	const problems: Problem[] = [];
	const warnings: string[] = [];
	const sources: Array<[string, FileSource]> = [];
	for (const field of operation.fields.filter(isGivenIn(values))) {
		const value = String(own(values, field.name));
		const checked = await checkUpload(context, itemIndex, field, value, uploading);
		if ('problem' in checked) problems.push(checked.problem);
		if (!('source' in checked)) continue;
		sources.push([field.name, checked.source]);
		if (checked.warning !== undefined) warnings.push(checked.warning);
	}
	return { problems, warnings, sources: Object.fromEntries(sources) };
}

/** The request with its files, which take the place of what names them in its body. */
export function withFiles(
	request: ServiceRequest,
	{ sources }: PlannedUploads,
	mode: UploadMode,
): ServiceRequest {
	if (mode === 'url' || Object.keys(sources).length === 0) return request;
	const rest = Object.entries(request.body ?? {}).filter(([name]) => !isOwn(sources, name));
	const open: RequestFiles['open'] = async (body, signal) =>
		await openBody(body, { as: mode, sources }, signal);
	return { ...request, body: Object.fromEntries(rest), files: { as: mode, sources, open } };
}

const isGivenIn =
	(values: Values) =>
	({ name, type }: Field) =>
		type === 'upload' && typeof own(values, name) === 'string';

/** What of a node's context is needed to get at the files of its items. */
export interface UploadContext {
	getInputData: IExecuteFunctions['getInputData'];
	helpers: BinaryHelpers & HttpHelpers & Pick<IExecuteFunctions['helpers'], 'assertBinaryData'>;
}

/** How files come here and go on. */
interface Uploading {
	mode: UploadMode;
	/** Whether they are fetched from inside a private network. */
	mayBePrivate: boolean;
}

/** A file that can be uploaded, a text that is sent in its place, or why neither can be. */
type CheckedUpload =
	| { source: FileSource; warning?: string }
	| { text: string }
	| { problem: Problem };

/**
 * Checks what the user gave for a file: the name of a binary property of the item, or a URL. A file
 * is MP3 or WAV by its content, and not too long where its header tells. Nothing is sent; what is
 * behind a URL is looked at when it is fetched.
 */
async function checkUpload(
	context: UploadContext,
	itemIndex: number,
	field: Field,
	value: string,
	{ mode, mayBePrivate }: Uploading,
): Promise<CheckedUpload> {
	const given = value.trim();
	const broken = (rule: string): CheckedUpload => ({ problem: problemOf(field, rule) });
	if (isUrl(given)) {
		// The service fetches it, or does not.
		if (mode === 'url') return { text: given };
		if (!mayBePrivate && isPrivateUrl(given))
			return broken(`${OUTSIDE}, but is "${shownAddress(given)}": ${WHY_OUTSIDE}`);
		return { source: urlFile(context.helpers, given, mayBePrivate) };
	}
	if (given.includes('://')) return broken(`${NAME_OR_URL}, but is "${shownAddress(given)}"`);
	if (mode === 'url') return broken(`must be a URL, but is "${given}": ${HOW_TO_SEND_FILES}`);

	const data = binaryOf(context, itemIndex, given);
	if (!data) {
		return broken(`${NAME_OR_URL}, but the item has no "${given}"${others(context, itemIndex)}`);
	}
	return await inspectBinary(context.helpers, data, given)
		.then(({ facts, name, source }): CheckedUpload => {
			const rule = audioProblem(facts, name);
			if (rule !== undefined || !source) return broken(rule ?? NAME_OR_URL);
			return { source, warning: audioWarning(facts, name) };
		})
		.catch((error: unknown) => broken(`cannot be read from "${given}": ${reasonOf(error)}`));
}

const NAME_OR_URL = 'must be the name of a binary property of the item or an http(s) URL';

const OUTSIDE = 'must not be inside a private network';

const WHY_OUTSIDE =
	'n8n fetches files from there only while the Base URL is in one, too. Download it in a node before this one, and use its binary property here';

const HOW_TO_SEND_FILES = `the MediaGen API credential says that only URLs are sent. To send the file itself, choose another form in "${UPLOAD_SETTING.label}" there`;

function isUrl(text: string): boolean {
	return /^https?:\/\/\S+$/i.test(text) && URL.canParse(text);
}

function binaryOf(
	{ helpers }: UploadContext,
	itemIndex: number,
	property: string,
): IBinaryData | undefined {
	try {
		return helpers.assertBinaryData(itemIndex, property);
	} catch {
		return undefined;
	}
}

/** What the item has instead. */
function others(context: UploadContext, itemIndex: number): string {
	const names = Object.keys(context.getInputData()[itemIndex]?.binary ?? {});
	if (names.length === 0) return ', nor any other file';
	return `; it has ${listInWords(
		names.map((name) => `"${name}"`),
		'and',
	)}`;
}

/** As the messages of other fields are made. */
function problemOf({ name, label }: Field, rule: string): Problem {
	return { field: name, message: `${label} (${name}) ${rule}` };
}
