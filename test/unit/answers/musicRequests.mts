/** Requests as the document has them: one that is accepted, by operation. */

type Values = Readonly<Record<string, unknown>>;

export interface MusicRequest {
	/** Resource under which the sandbox lists it in journal and charges. */
	resource: string;
	/** Source and takes are added where it needs them. */
	body: Values;
	/** What it costs. */
	credits: number;
	/** An operation on whose result it works. */
	after?: string;
	/** It works on one of the takes. */
	ofTake?: true;
}

export const AUDIO_URL = 'https://media.example/track.mp3';

const prompt = 'a slow waltz in the rain';
const model = 'V5_5';
const upload = AUDIO_URL;
const title = 'Rain';
const style = 'waltz';

const REQUESTS = {
	generate: { resource: 'song', body: { model, prompt }, credits: 12 },
	extend: {
		resource: 'song',
		body: { model, continue_at: 30 },
		credits: 12,
		after: 'generate',
		ofTake: true,
	},
	upload_cover: { resource: 'song', body: { upload, model }, credits: 12 },
	upload_extend: { resource: 'song', body: { upload, model, continue_at: 0 }, credits: 12 },
	add_vocals: { resource: 'song', body: { upload, prompt, title, style }, credits: 12 },
	add_instrumental: { resource: 'song', body: { upload, title, tags: style }, credits: 12 },
	replace_section: {
		resource: 'song',
		body: {
			prompt,
			tags: style,
			title,
			infill_start_s: 10,
			infill_end_s: 20.5,
			full_lyrics: 'all of it',
			model,
		},
		credits: 6,
		after: 'generate',
		ofTake: true,
	},
	mashup: {
		resource: 'song',
		body: { upload, upload2: AUDIO_URL, title, style, model },
		credits: 12,
	},
	stems: {
		resource: 'track',
		body: { separation_type: 'separate_vocal' },
		credits: 10,
		after: 'generate',
		ofTake: true,
	},
	wav: { resource: 'track', body: {}, credits: 1, after: 'generate', ofTake: true },
	midi: { resource: 'track', body: {}, credits: 0, after: 'stems', ofTake: true },
	lyrics: { resource: 'lyrics', body: { prompt }, credits: 1 },
	timestamped_lyrics: {
		resource: 'lyrics',
		body: {},
		credits: 1,
		after: 'generate',
		ofTake: true,
	},
	style_boost: { resource: 'lyrics', body: { content: 'dreamy' }, credits: 1 },
	cover_art: { resource: 'artwork', body: {}, credits: 0, after: 'generate', ofTake: true },
	music_video: { resource: 'artwork', body: {}, credits: 2, after: 'generate', ofTake: true },
	sounds: { resource: 'song', body: { prompt, model: 'V5' }, credits: 3 },
	recovery: { resource: 'track', body: {}, credits: 0, after: 'generate' },
	voice_validate: {
		resource: 'voice',
		body: { upload, vocal_start_s: 0, vocal_end_s: 12 },
		credits: 0,
	},
	voice_regenerate: { resource: 'voice', body: {}, credits: 0, after: 'voice_validate' },
	voice_generate: { resource: 'voice', body: { upload }, credits: 0, after: 'voice_regenerate' },
	remix: {
		resource: 'music',
		body: { genre: 'swing', quality: 'draft' },
		credits: 7,
		after: 'generate',
	},
} satisfies Record<string, MusicRequest>;

export type MusicId = keyof typeof REQUESTS;

export const MUSIC_REQUESTS: Record<MusicId, MusicRequest> = REQUESTS;
