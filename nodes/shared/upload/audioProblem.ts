import { listInWords } from '../spec/conditions';
import { MAX_UPLOAD_SECONDS, UPLOAD_FORMATS } from '../spec/music/uploads';
import type { AudioFacts } from './inspectAudio';

/** The rule that a file breaks, in words that go after the field's name; none for a good one. */
export function audioProblem(facts: AudioFacts, name: string): string | undefined {
	const { format, mime, seconds = 0, isEmpty } = facts;
	if (isEmpty) return `must be an audio file, but "${name}" is empty`;
	if (!format)
		return `must be an ${FORMATS} file, but the content of "${name}" is ${inWords(mime)}`;
	// In whole seconds: encoders add a fraction of one.
	if (Math.floor(seconds) <= MAX_UPLOAD_SECONDS) return undefined;
	return `must not be longer than ${MAX_UPLOAD_SECONDS / 60} minutes (${MAX_UPLOAD_SECONDS} seconds), but "${name}" has ${Math.floor(seconds)} seconds`;
}

const FORMATS = listInWords(UPLOAD_FORMATS.map(({ label }) => label));

const inWords = (mime: string) => (mime === 'application/octet-stream' ? 'neither' : mime);
