import { listInWords } from '../spec/conditions';
import { MAX_UPLOAD_SECONDS, UPLOAD_FORMATS } from '../spec/music/uploads';
import type { AudioFacts } from './inspectAudio';

/** The rule that a file breaks, in words that go after the field's name; none for a good one. */
export function audioProblem(facts: AudioFacts, name: string): string | undefined {
	const { format, mime, seconds = 0, isEmpty } = facts;
	if (isEmpty) return `must be an audio file, but "${name}" is empty`;
	if (!format)
		return `must be an ${FORMATS} file, but the content of "${name}" is ${inWords(mime)}`;
	if (!isTooLong(seconds)) return undefined;
	return `must not be longer than ${MAX_UPLOAD_SECONDS / 60} minutes (${MAX_UPLOAD_SECONDS} seconds), but "${name}" has ${Math.floor(seconds)} seconds`;
}

/** What the user had better know of a file that is sent: it may be too long. */
export function audioWarning({ roughSeconds = 0 }: AudioFacts, name: string): string | undefined {
	if (!isTooLong(roughSeconds)) return undefined;
	return `"${name}" may be longer than the ${MAX_UPLOAD_SECONDS / 60} minutes that the service takes: by its size and bit rate it has about ${Math.floor(roughSeconds)} seconds`;
}

/** In whole seconds: encoders add a fraction of one. */
const isTooLong = (seconds: number) => Math.floor(seconds) > MAX_UPLOAD_SECONDS;

const FORMATS = listInWords(UPLOAD_FORMATS.map(({ label }) => label));

const inWords = (mime: string) => (mime === 'application/octet-stream' ? 'neither' : mime);
