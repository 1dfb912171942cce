import type { Job } from '../jobs.mts';
import { randomUuid, seededRandom, wholeBetween, type Random } from '../random.mts';

/** Made up: the results of operations that make no media. */

const WORDS = [
	...['river', 'lantern', 'harbour', 'winter', 'feather', 'mountain', 'window', 'shadow'],
	...['garden', 'silver', 'thunder', 'morning', 'ember', 'meadow', 'island', 'signal'],
];
const LINES_PER_VERSE = 4;
const WORDS_PER_LINE = 5;

/** What people read out so that their voice can be checked. */
const PHRASES = [
	'The quiet harbour wakes before the morning bell.',
	'Seven silver lanterns swing above the garden gate.',
	'Bring the old umbrella if the thunder comes again.',
	'Every window on the island faces the winter sun.',
];

export const TEXTS: Record<string, (job: Job) => Record<string, unknown>> = {
	lyrics: ({ id, body }) => ({ title: String(body.prompt).slice(0, 40), lyrics: lyrics(id) }),
	timestamped_lyrics: ({ body }) => ({ words: timings(String(body.audio_id)) }),
	style_boost: ({ body }) => ({
		style: `${body.content}, warm analogue synths, brushed drums, close harmonies, 96 BPM`,
	}),
	midi: ({ id }) => ({ midi: { tempo: 96, tracks: [{ name: 'Stem', notes: notes(id) }] } }),
	voice_validate: (job) => ({ phrase: phrase(job) }),
	voice_regenerate: (job) => ({ phrase: phrase(job) }),
	voice_generate: ({ id, body }) => ({
		voice_id: randomUuid(seededRandom(0, `voice of ${id}`)),
		...(typeof body.voice_name === 'string' && { voice_name: body.voice_name }),
	}),
};

function lyrics(seed: string): string {
	const random = seededRandom(0, `lyrics of ${seed}`);
	return ['[Verse]', ...verse(random), '', '[Chorus]', ...verse(random)].join('\n');
}

function verse(random: Random): string[] {
	return Array.from({ length: LINES_PER_VERSE }, () =>
		Array.from({ length: WORDS_PER_LINE }, () => oneOf(WORDS, random)).join(' '),
	);
}

/** Word by word, with pauses of a tenth of a second. */
function timings(seed: string): object[] {
	const random = seededRandom(0, `timings of ${seed}`);
	const words = verse(random).join(' ').split(' ');
	let tenths = 0;
	return words.map((word) => {
		const start = tenths;
		const end = start + wholeBetween(random, 2, 6);
		tenths = end + 1;
		return { word, start_s: start / 10, end_s: end / 10 };
	});
}

/** Pitches as MIDI has them: 60 is middle C. */
function notes(seed: string): object[] {
	const random = seededRandom(0, `notes of ${seed}`);
	return Array.from({ length: 16 }, (_, index) => ({
		pitch: wholeBetween(random, 48, 72),
		start_s: index / 2,
		end_s: index / 2 + 0.4,
		velocity: wholeBetween(random, 64, 112),
	}));
}

/** A job made from an earlier one gets a different phrase. */
function phrase(job: Job): string {
	return PHRASES[phraseNumber(job) % PHRASES.length] ?? '';
}

function phraseNumber({ id, source }: Job): number {
	if (source) return phraseNumber(source) + 1;
	return wholeBetween(seededRandom(0, `phrase of ${id}`), 0, PHRASES.length - 1);
}

function oneOf<T>(list: readonly [T, ...T[]] | readonly T[], random: Random): T {
	return list[wholeBetween(random, 0, list.length - 1)] as T;
}
