import type { Body } from '../records.mts';
import type { Job } from '../jobs.mts';
import { randomUuid, seededRandom, wholeBetween } from '../random.mts';
import { resultFile } from '../media.mts';
import type { SandboxSettings } from '../settings.mts';
import { SONG_SECONDS } from '../wav.mts';
import { takesOf, type Take } from './takes.mts';

interface Result {
	takes: Take[];
	listName: string;
	/** A single picture or video. */
	media: { type: 'image' | 'video'; file: string } | undefined;
	texts: Body;
	/** Each take also has a picture. */
	pictures: boolean;
	urlOf: (file: string) => string;
}

type MusicShape = SandboxSettings['shapes']['music'];

/** What a finished music job adds to its record; made up, since such records are not shown. */
export function musicResult(
	job: Job,
	{ record, pictures }: MusicShape,
	urlOf: (file: string) => string,
): Body {
	const { operation, mediaType: type } = job.operation;
	const isMedia = type === 'image' || type === 'video';
	return RECORDS[record]({
		takes: takesOf(job),
		listName: operation === 'stems' ? 'stems' : 'tracks',
		media: isMedia ? { type, file: resultFile(job) } : undefined,
		texts: TEXTS[operation]?.(job) ?? {},
		pictures,
		urlOf,
	});
}

const RECORDS: Record<MusicShape['record'], (result: Result) => Body> = {
	/** `{ result: { tracks: [{ audio_id, audio_url, … }] } }`; media under `image_url` or `video_url`. */
	nested: ({ takes, listName, media, texts, pictures, urlOf }) => ({
		result: {
			...(takes.length > 0 && {
				[listName]: takes.map(({ id, title, audio, picture }) => ({
					audio_id: id,
					title,
					duration: SONG_SECONDS,
					audio_url: urlOf(audio),
					...(pictures && { image_url: urlOf(picture) }),
				})),
			}),
			...(media && { [`${media.type}_url`]: urlOf(media.file) }),
			...texts,
		},
	}),
	/** A single take in the record itself; several in a list, as `{ id, url, … }`. */
	flat: ({ takes, listName, media, texts, pictures, urlOf }) => {
		const entry = ({ title, audio, picture }: Take) => ({
			title,
			url: urlOf(audio),
			...(pictures && { picture: urlOf(picture) }),
		});
		const [first, ...others] = takes;
		return {
			...(first && others.length === 0 && { audio_id: first.id, ...entry(first) }),
			...(others.length > 0 && {
				[listName]: takes.map((take) => ({ id: take.id, ...entry(take) })),
			}),
			...(media && { url: urlOf(media.file) }),
			...texts,
		};
	},
	/** Lists side by side: `{ audio_ids, audio_urls }`. */
	lists: ({ takes, media, texts, pictures, urlOf }) => ({
		...(takes.length > 0 && {
			audio_ids: takes.map(({ id }) => id),
			audio_urls: takes.map(({ audio }) => urlOf(audio)),
			...(pictures && { image_urls: takes.map(({ picture }) => urlOf(picture)) }),
		}),
		...(media && { [`${media.type}_urls`]: [urlOf(media.file)] }),
		...texts,
	}),
};

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
