import { createHash } from 'node:crypto';

export const SONG_SECONDS = 4;

const RATE = 8000;
const BYTES_PER_SAMPLE = 2;
const HEADER_BYTES = 44;
const PCM = 1;

/** The number of notes in a melody, and how long each is, in seconds. */
const NOTES = 8;
const NOTE_SECONDS = SONG_SECONDS / NOTES;

/** The lowest note, in Hz, and a scale, in semitones above it: any two of its notes sound good together. */
const DEEPEST = 220;
const SCALE = [0, 2, 4, 7, 9, 12, 14, 16];

/** How long a note takes to begin, and to fade to about a third, in seconds. */
const ATTACK = 0.01;
const DECAY = 0.35;

/** Loudest sample; samples go from -32768 to 32767. */
const AMPLITUDE = 20_000;

/** Bytes of a WAV of a short melody (PCM, mono, 16 bits); the same text gives the same melody. */
export function songWav(text: string): Buffer {
	const hash = createHash('sha512').update(text).digest();
	const melody = Array.from({ length: NOTES }, (_, note) => {
		return DEEPEST * 2 ** (SCALE[hash[note]! % SCALE.length]! / 12);
	});
	const samples = Float64Array.from({ length: RATE * SONG_SECONDS }, (_, index) =>
		soundAt(index / RATE, melody),
	);
	const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
	const wav = Buffer.alloc(HEADER_BYTES + samples.length * BYTES_PER_SAMPLE);
	writeHeader(wav);
	samples.forEach((sample, index) => {
		const value = Math.round((sample / loudest) * AMPLITUDE);
		wav.writeInt16LE(value, HEADER_BYTES + index * BYTES_PER_SAMPLE);
	});
	return wav;
}

/** Each note is struck, and fades till the next begins. */
function soundAt(second: number, melody: readonly number[]): number {
	const note = Math.floor(second / NOTE_SECONDS);
	const since = second - note * NOTE_SECONDS;
	const edge = Math.min(1, since / ATTACK, (NOTE_SECONDS - since) / ATTACK);
	return edge * Math.exp(-since / DECAY) * Math.sin(2 * Math.PI * melody[note]! * since);
}

/** A RIFF file with a format and a data chunk. */
function writeHeader(wav: Buffer): void {
	wav.write('RIFF', 0, 'latin1');
	wav.writeUInt32LE(wav.length - 8, 4);
	wav.write('WAVEfmt ', 8, 'latin1');
	wav.writeUInt32LE(16, 16);
	wav.writeUInt16LE(PCM, 20);
	wav.writeUInt16LE(1, 22);
	wav.writeUInt32LE(RATE, 24);
	wav.writeUInt32LE(RATE * BYTES_PER_SAMPLE, 28);
	wav.writeUInt16LE(BYTES_PER_SAMPLE, 32);
	wav.writeUInt16LE(BYTES_PER_SAMPLE * 8, 34);
	wav.write('data', 36, 'latin1');
	wav.writeUInt32LE(wav.length - HEADER_BYTES, 40);
}
