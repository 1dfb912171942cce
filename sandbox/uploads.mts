import type { Values } from '../nodes/shared/spec/conditions.ts';
import type { Operation } from '../nodes/shared/spec/types.ts';
import type { Details } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import { namedFields } from './values.mts';

/** What is kept of a file that was a part of a form. */
export class UploadedFile {
	readonly #isAudio: boolean;

	/**
	 * @param contentType MIME type, as the caller says
	 * @param size bytes
	 * @param sha256 of the bytes, hexadecimal
	 * @param head the first bytes, twelve at least where there are as many
	 */
	constructor(
		readonly fileName: string,
		readonly contentType: string,
		readonly size: number,
		readonly sha256: string,
		head: Buffer,
	) {
		this.#isAudio = isAudio(head);
	}

	/** Whether its bytes are MP3 or WAV, whatever it is called. */
	get isAudio(): boolean {
		return this.#isAudio;
	}
}

type UploadMode = SandboxSettings['shapes']['music']['upload'];

/** Says what is wrong with the value; nothing where all is well. */
type Check = (value: unknown) => string | undefined;

const NO_AUDIO = 'Must be an MP3 or WAV file.';

/** How a file has to travel is not shown; one way is right, by the settings. */
const CHECKS: Record<UploadMode, Check> = {
	multipart: (value) => {
		if (!(value instanceof UploadedFile)) return 'Must be a file in a multipart form.';
		return value.isAudio ? undefined : NO_AUDIO;
	},
	base64: (value) => {
		const isText = typeof value === 'string' && /^[A-Za-z0-9+/]+={0,2}$/.test(value);
		if (!isText || value.length % 4 > 0) return 'Must be a file in base64.';
		return isAudio(Buffer.from(value.slice(0, 16), 'base64')) ? undefined : NO_AUDIO;
	},
	url: (value) => {
		const isUrl = typeof value === 'string' && /^https?:\/\/[^\s/]+\S*$/.test(value);
		return isUrl ? undefined : 'Must be a URL that starts with http:// or https://.';
	},
};

/** A message for each file that travels in another way, or is none. */
export function uploadProblems(operation: Operation, sent: Values, mode: UploadMode): Details {
	const given = namedFields(operation).filter(
		({ name, type }) => type === 'upload' && sent[name] !== undefined && sent[name] !== '',
	);
	const checked = given.map(({ name }) => [name, CHECKS[mode](sent[name])]);
	return Object.fromEntries(checked.filter(([, problem]) => problem !== undefined)) as Details;
}

/** By the first bytes: RIFF with WAVE, an ID3 tag, or the start of an MPEG frame. */
function isAudio(head: Buffer): boolean {
	const text = head.toString('latin1', 0, 12);
	const isFrame = head[0] === 0xff && ((head[1] ?? 0) & 0xe0) === 0xe0;
	return /^RIFF....WAVE/s.test(text) || text.startsWith('ID3') || isFrame;
}
