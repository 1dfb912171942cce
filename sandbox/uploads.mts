import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';

import type { Values } from '../nodes/shared/spec/values.ts';
import { UPLOADED_AUDIO } from '../test/document.mts';
import type { Served } from './documented.mts';
import type { Details } from './serviceError.mts';
import type { SandboxSettings } from './settings.mts';
import { WEB_ADDRESS } from './validation.mts';

/** What is kept of a file that was a part of a form. */
class UploadedFile {
	readonly fileName: string;
	readonly type: string;
	readonly size: number;
	readonly sha256: string;
	/** Why the service refuses the bytes, whatever the file is called. */
	readonly problem: string | undefined;

	constructor({ name, type }: File, bytes: Buffer) {
		this.fileName = name;
		this.type = type;
		this.size = bytes.length;
		this.sha256 = createHash('sha256').update(bytes).digest('hex');
		this.problem = audioProblem(bytes);
	}
}

type UploadMode = SandboxSettings['shapes']['music']['upload'];

/** Says what is wrong with the value; `undefined` if nothing is. */
type Check = (value: unknown) => string | undefined;

/** The document does not show how files are sent; the settings say which way is right. */
const CHECKS: Record<UploadMode, Check> = {
	multipart: (value) => {
		const isFile = value instanceof UploadedFile;
		return isFile ? value.problem : 'Must be a file in a multipart form.';
	},
	base64: (value) => {
		const isText = typeof value === 'string' && value.length > 0 && value.length % 4 === 0;
		// Looks for a single wrong character: matching megabytes as a whole may exhaust the stack.
		if (!isText || /[^A-Za-z0-9+/]/.test(value.replace(/={1,2}$/, '')))
			return 'Must be a file in base64.';
		return audioProblem(Buffer.from(value, 'base64'));
	},
	url: (value) => WEB_ADDRESS.safeParse(value).error?.issues[0]?.message,
};

/** A message for each file that is sent in another way or is not valid. */
export function uploadProblems({ fields }: Served, sent: Values, mode: UploadMode): Details {
	const given = fields.filter(
		({ name, type }) => type === 'file' && sent[name] !== undefined && sent[name] !== '',
	);
	const checked = given.map(({ name }) => [name, CHECKS[mode](sent[name])]);
	return Object.fromEntries(checked.filter(([, problem]) => problem !== undefined)) as Details;
}

function audioProblem(bytes: Buffer): string | undefined {
	const { formats, maxSeconds } = UPLOADED_AUDIO;
	if (!isAudio(bytes)) return `Must be an ${formats.join(' or ')} file.`;
	const isLong = Math.floor(wavSeconds(bytes)) > maxSeconds;
	return isLong ? `Must not be longer than ${maxSeconds / 60} minutes.` : undefined;
}

/** The length of a WAV file, s, whose header has only format and samples; 0 for any other file. */
function wavSeconds(bytes: Buffer): number {
	const isPlain =
		bytes.toString('latin1', 12, 16) === 'fmt ' && bytes.toString('latin1', 36, 40) === 'data';
	return isPlain ? Math.min(bytes.readUInt32LE(40), bytes.length - 44) / bytes.readUInt32LE(28) : 0;
}

/** By the first bytes: RIFF with WAVE, an ID3 tag, or the start of an MPEG frame. */
function isAudio(bytes: Buffer): boolean {
	const text = bytes.toString('latin1', 0, 12);
	const isFrame = bytes[0] === 0xff && ((bytes[1] ?? 0) & 0xe0) === 0xe0;
	return /^RIFF....WAVE/s.test(text) || text.startsWith('ID3') || isFrame;
}

/** A multipart form (RFC 7578), by field; the content of files is not kept. */
export type Form = NonNullable<Awaited<ReturnType<typeof readForm>>>;

/**
 * Reads a form.
 *
 * @returns `undefined` when the form is malformed or cut off
 */
export async function readForm(body: AsyncIterable<Buffer>, contentType: string) {
	const answer = new Response(await buffer(body), { headers: { 'Content-Type': contentType } });
	const entries = await answer.formData().catch(() => undefined);
	if (!entries) return undefined;
	const fields: Record<string, string> = {};
	const files: Record<string, UploadedFile> = {};
	for (const [name, value] of entries) {
		if (typeof value === 'string') fields[name] = value;
		else files[name] = new UploadedFile(value, Buffer.from(await value.arrayBuffer()));
	}
	return { fields, files };
}
