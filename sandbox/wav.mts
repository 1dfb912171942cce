import { createHash } from 'node:crypto';

export const SONG_SECONDS = 4;

const RATE = 8000;
const HEADER_BYTES = 44;

/** The length of a note, s, and how long it takes to fade to about a third. */
const NOTE_SECONDS = 0.5;
const DECAY = 0.35;

/** The lowest note, Hz, and a scale, in semitones above it: any two of its notes sound good together. */
const DEEPEST = 220;
const SCALE = [0, 2, 4, 7, 9, 12, 14, 16];

/** Loudest sample; samples go from -32768 to 32767. */
const AMPLITUDE = 20_000;

/** Bytes of a WAV of a short melody (PCM, mono, 16 bits); the same text gives the same melody. */
export function songWav(text: string): Buffer {
	const hash = createHash('sha512').update(text).digest();
	const samples = Int16Array.from({ length: RATE * SONG_SECONDS }, (_, index) => {
		const second = index / RATE;
		const since = second % NOTE_SECONDS;
		const note = SCALE[hash[Math.floor(second / NOTE_SECONDS)]! % SCALE.length]!;
		const wave = Math.sin(2 * Math.PI * DEEPEST * 2 ** (note / 12) * since);
		return AMPLITUDE * Math.exp(-since / DECAY) * wave;
	});
	const wav = Buffer.alloc(HEADER_BYTES + samples.byteLength);
	wav.write('RIFF', 0, 'latin1');
	wav.writeUInt32LE(wav.length - 8, 4);
	wav.write('WAVEfmt ', 8, 'latin1');
	// The rest of the chunk; PCM in one channel; samples and bytes a second; bytes and bits of a sample.
	const format = [16, 1 + (1 << 16), RATE, RATE * 2, 2 + (16 << 16)];
	format.forEach((value, index) => wav.writeUInt32LE(value, 16 + index * 4));
	wav.write('data', 36, 'latin1');
	wav.writeUInt32LE(samples.byteLength, 40);
	samples.forEach((sample, index) => wav.writeInt16LE(sample, HEADER_BYTES + index * 2));
	return wav;
}
