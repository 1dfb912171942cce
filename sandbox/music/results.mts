import type { Body } from '../records.mts';
import type { Job } from '../jobs.mts';
import { randomUuid, seededRandom, wholeBetween } from '../random.mts';
import { resultFile } from '../media.mts';
import type { SandboxSettings } from '../settings.mts';
import { SONG_SECONDS } from '../wav.mts';
import { takesOf } from './takes.mts';

/** What a finished music job adds to its record; made up, since such records are not shown. */
export function musicResult(
	job: Job,
	{ record, pictures }: SandboxSettings['shapes']['music'],
	urlOf: (file: string) => string,
): Body {
	const { operation, mediaType } = job.operation;
	const isMedia = mediaType === 'image' || mediaType === 'video';
	const media = (name: string, value: unknown = urlOf(resultFile(job))) =>
		isMedia && { [name]: value };
	const takes = takesOf(job).map((take) => ({
		...take,
		url: urlOf(take.audio),
		image: pictures && urlOf(take.picture),
	}));
	const list = operation === 'stems' ? 'stems' : 'tracks';
	const texts = TEXTS[operation]?.(job) ?? {};
	if (record === 'nested') {
		const entries = takes.map(({ id, title, url, image }) => ({
			...{ audio_id: id, title, duration: SONG_SECONDS, audio_url: url },
			...(image && { image_url: image }),
		}));
		const audio = takes.length > 0 && { [list]: entries };
		return { result: { ...audio, ...media(`${mediaType}_url`), ...texts } };
	}
	if (record === 'lists') {
		const audio = takes.length > 0 && {
			audio_ids: takes.map(({ id }) => id),
			audio_urls: takes.map(({ url }) => url),
			...(pictures && { image_urls: takes.map(({ image }) => image) }),
		};
		return { ...audio, ...media(`${mediaType}_urls`, [urlOf(resultFile(job))]), ...texts };
	}
	// A single take in the record itself; several in a list.
	const entries = takes.map(({ id, title, url, image }) => ({
		[takes.length > 1 ? 'id' : 'audio_id']: id,
		...{ title, url, ...(image && { picture: image }) },
	}));
	const audio = takes.length > 1 ? { [list]: entries } : entries[0];
	return { ...audio, ...media('url'), ...texts };
}

/** Made up: the results of operations that make no media. */
const TEXTS: Record<string, (job: Job) => Record<string, unknown>> = {
	lyrics: ({ body }) => ({
		title: String(body.prompt).slice(0, 40),
		lyrics: ['[Verse]', ...VERSE, '', '[Chorus]', ...VERSE.toReversed()].join('\n'),
	}),
	timestamped_lyrics: () => ({
		words: VERSE.join(' ')
			.split(' ')
			.map((word, index) => ({ word, start_s: index / 2, end_s: index / 2 + 0.4 })),
	}),
	style_boost: ({ body }) => ({
		style: `${body.content}, warm analogue synths, brushed drums, close harmonies, 96 BPM`,
	}),
	// Pitches as MIDI has them: 60 is middle C.
	midi: ({ id }) => {
		const random = seededRandom(0, `notes of ${id}`);
		const notes = Array.from({ length: 16 }, (_, index) => ({
			pitch: wholeBetween(random, 48, 72),
			start_s: index / 2,
			end_s: index / 2 + 0.4,
			velocity: wholeBetween(random, 64, 112),
		}));
		return { midi: { tempo: 96, tracks: [{ name: 'Stem', notes }] } };
	},
	voice_validate: phrase,
	voice_regenerate: phrase,
	voice_generate: ({ id, body }) => ({
		voice_id: randomUuid(seededRandom(0, `voice of ${id}`)),
		...(typeof body.voice_name === 'string' && { voice_name: body.voice_name }),
	}),
};

const VERSE = [
	'The quiet harbour wakes before the morning bell',
	'Seven silver lanterns swing above the garden gate',
	'Bring the old umbrella if the thunder comes again',
	'Every window on the island faces the winter sun',
];

/** What people read out so that their voice can be checked. */
function phrase({ id }: Job): Record<string, unknown> {
	const random = seededRandom(0, `phrase of ${id}`);
	return { phrase: `${VERSE[wholeBetween(random, 0, VERSE.length - 1)]}.` };
}
