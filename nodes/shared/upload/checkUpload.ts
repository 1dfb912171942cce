import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';

import type { Problem } from '../request/validate';
import { listInWords } from '../spec/conditions';
import { reasonOf, type HttpHelpers } from '../output/openFile';
import { isPrivateUrl } from '../output/privateNetworks';
import { UPLOAD_SETTING, type UploadMode } from '../spec/music/uploads';
import type { Field } from '../spec/types';
import { audioProblem, audioWarning } from './audioProblem';
import { inspectBinary, type BinaryHelpers } from './binaryFile';
import type { FileSource } from '../service/request';
import { shownAddress } from '../service/shownAddress';
import { urlFile } from './urlFile';

/** What of a node's context is needed to get at the files of its items. */
export interface UploadContext {
	getInputData: IExecuteFunctions['getInputData'];
	helpers: BinaryHelpers & HttpHelpers & Pick<IExecuteFunctions['helpers'], 'assertBinaryData'>;
}

/** How files come here and go on. */
export interface Uploading {
	mode: UploadMode;
	/** Whether they are fetched from inside a private network. */
	mayBePrivate: boolean;
}

/** A file that can be uploaded, a text that is sent in its place, or why neither can be. */
export type CheckedUpload =
	| { source: FileSource; warning?: string }
	| { text: string }
	| { problem: Problem };

/**
 * Checks what the user gave for a file: the name of a binary property of the item, or a URL. A file
 * is MP3 or WAV by its content, and not too long where its header tells. Nothing is sent; what is
 * behind a URL is looked at when it is fetched.
 */
export async function checkUpload(
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
