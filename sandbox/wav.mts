import { createHash } from 'node:crypto';

/** Length of a tone, seconds. */
export const TONE_SECONDS = 2;

/** Samples per second. */
const RATE = 8000;
const BYTES_PER_SAMPLE = 2;
const HEADER_BYTES = 44;
const PCM = 1;

/** Frequencies of tones, Hz. */
const LOWEST = 220;
const HIGHEST = 880;

/** A third of the loudest; samples go from -32768 to 32767. */
const AMPLITUDE = 11_000;
/** How long it swells and fades so that it does not click, seconds. */
const FADE = 0.05;

/** Bytes of a WAV of one tone (PCM, mono, 16 bits); the same text gives the same tone. */
export function toneWav(text: string): Buffer {
	const samples = RATE * TONE_SECONDS;
	const wav = Buffer.alloc(HEADER_BYTES + samples * BYTES_PER_SAMPLE);
	writeHeader(wav);
	const frequency = frequencyOf(text);
	for (let sample = 0; sample < samples; sample++) {
		const second = sample / RATE;
		const loudness = Math.min(1, second / FADE, (TONE_SECONDS - second) / FADE);
		const value = AMPLITUDE * loudness * Math.sin(2 * Math.PI * frequency * second);
		wav.writeInt16LE(Math.round(value), HEADER_BYTES + sample * BYTES_PER_SAMPLE);
	}
	return wav;
}

function frequencyOf(text: string): number {
	const share = createHash('sha256').update(text).digest().readUInt32BE(0) / 2 ** 32;
	return LOWEST + share * (HIGHEST - LOWEST);
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
