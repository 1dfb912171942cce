import { JOB_RESOURCE } from '../jobs';
import type { Resource } from '../types';

/** The music studio as a musician would look for things. */
export const SONG: Resource = {
	value: 'song',
	label: 'Song',
	description: 'Songs, covers, extensions, sounds',
};
export const TRACK: Resource = {
	value: 'track',
	label: 'Track Processing',
	description: 'Stems, WAV, MIDI, fresh links',
};
export const LYRICS: Resource = {
	value: 'lyrics',
	label: 'Lyrics and Style',
	description: 'Lyrics, their timings, style texts',
};
export const ARTWORK: Resource = {
	value: 'artwork',
	label: 'Artwork and Video',
	description: 'Cover art and video for a take',
};
export const VOICE: Resource = {
	value: 'voice',
	label: 'Voice',
	description: 'A voice of your own, from a sample',
};
export const CATALOG: Resource = {
	value: 'catalog',
	label: 'Catalog',
	description: 'What the music studio offers today',
};

export const MUSIC_RESOURCES: readonly Resource[] = [
	SONG,
	TRACK,
	LYRICS,
	ARTWORK,
	VOICE,
	CATALOG,
	JOB_RESOURCE,
];
