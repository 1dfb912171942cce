import { createHash } from 'node:crypto';

/** Length of a song, seconds. */
export const SONG_SECONDS = 4;

/** Samples per second. */
const RATE = 8000;
const BYTES_PER_SAMPLE = 2;
const HEADER_BYTES = 44;
const PCM = 1;

/** The deepest keynote, Hz; the others are up to eleven semitones higher. */
const DEEPEST = 220;
const SEMITONES = 12;

/** Semitones from the keynote: five notes of which any two sound well together. */
const SCALE = [0, 2, 4, 7, 9];
const OCTAVE = SCALE.length;

/** How the melody goes on, in steps of the scale. */
const STEPS = [-2, -1, -1, 0, 1, 1, 2, 3];

/** How long the notes of half a song are, in parts of the song. */
const RHYTHMS = [
	[1 / 8, 1 / 8, 1 / 8, 1 / 8],
	[1 / 8, 1 / 16, 1 / 16, 1 / 4],
	[3 / 16, 1 / 16, 1 / 8, 1 / 8],
	[1 / 16, 1 / 16, 1 / 8, 1 / 16, 1 / 16, 1 / 8],
];

/** The bass: steps of the scale below the keynote, each as long as the others. */
const BASS = [0, 3, 4, 3].map((step) => step - 2 * OCTAVE);

/** Loudness of a string's overtones, from its own tone on. */
const OVERTONES = [1, 0.5, 0.25];

/** How fast a note begins, and by when it has faded to a third, seconds. */
const ATTACK = 0.01;
const DECAY = 0.35;

/** Loudest sample; samples go from -32768 to 32767. */
const AMPLITUDE = 20_000;
const BASS_LOUDNESS = 0.6;

/** A note; times in seconds. */
interface Note {
	start: number;
	length: number;
	/** Hz. */
	frequency: number;
	/** Of 1. */
	loudness: number;
}

/** Bytes of a WAV of a short melody (PCM, mono, 16 bits); the same text gives the same melody. */
export function songWav(text: string): Buffer {
	const samples = new Float64Array(RATE * SONG_SECONDS);
	for (const note of notesOf(text)) play(note, samples);
	const loudest = samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
	const wav = Buffer.alloc(HEADER_BYTES + samples.length * BYTES_PER_SAMPLE);
	writeHeader(wav);
	samples.forEach((sample, index) => {
		const value = Math.round((sample / loudest) * AMPLITUDE);
		wav.writeInt16LE(value, HEADER_BYTES + index * BYTES_PER_SAMPLE);
	});
	return wav;
}

function notesOf(text: string): Note[] {
	const hash = createHash('sha512').update(text).digest();
	const chosen = <T,>(list: readonly T[], index: number) => list[hash[index]! % list.length]!;
	const keynote = DEEPEST * 2 ** ((hash[0]! % SEMITONES) / SEMITONES);
	const lengths = [...chosen(RHYTHMS, 1), ...chosen(RHYTHMS, 2)];
	let step = hash[3]! % OCTAVE;
	const melody = lengths.map((length, index) => {
		if (index > 0) step = Math.min(Math.max(step + chosen(STEPS, 3 + index), 0), 2 * OCTAVE);
		// It ends where it is at home.
		return { length, step: index === lengths.length - 1 ? 0 : step, loudness: 1 };
	});
	const bass = BASS.map((low) => ({ length: 1 / BASS.length, step: low, loudness: BASS_LOUDNESS }));
	return [melody, bass].flatMap((voice) => {
		let start = 0;
		return voice.map(({ length, step: at, loudness }) => {
			const note = {
				start,
				length: length * SONG_SECONDS,
				frequency: pitch(keynote, at),
				loudness,
			};
			start += note.length;
			return note;
		});
	});
}

/** The frequency so many steps of the scale above the keynote. */
function pitch(keynote: number, step: number): number {
	const octave = Math.floor(step / OCTAVE);
	return keynote * 2 ** (octave + (SCALE[step - octave * OCTAVE] ?? 0) / SEMITONES);
}

/** One swing of a string, so that the sine of each sample need not be worked out. */
const SWING = Float64Array.from({ length: 1024 }, (_, index) =>
	OVERTONES.reduce((sum, loudness, overtone) => {
		return sum + loudness * Math.sin((2 * Math.PI * index * (overtone + 1)) / 1024);
	}, 0),
);

/** Adds a note to what sounds already: struck, and fading till the next begins. */
function play({ start, length, frequency, loudness }: Note, samples: Float64Array): void {
	const first = Math.round(start * RATE);
	const count = Math.round(length * RATE);
	for (let index = 0; index < count; index++) {
		const second = index / RATE;
		const edge = Math.min(1, second / ATTACK, (length - second) / ATTACK);
		const swing = SWING[Math.floor(second * frequency * SWING.length) % SWING.length]!;
		samples[first + index]! += loudness * edge * Math.exp(-second / DECAY) * swing;
	}
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
