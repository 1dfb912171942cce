import { JOB_RESOURCE } from '../jobs';
import type { Resource } from '../types';

/** The music studio as a musician would look for things. */
export const SONG: Resource = { value: 'song', label: 'Song' };
export const TRACK: Resource = { value: 'track', label: 'Track Processing' };
export const LYRICS: Resource = { value: 'lyrics', label: 'Lyrics and Style' };
export const ARTWORK: Resource = { value: 'artwork', label: 'Artwork and Video' };
export const VOICE: Resource = { value: 'voice', label: 'Voice' };
export const CATALOG: Resource = { value: 'catalog', label: 'Catalog' };

export const MUSIC_RESOURCES: readonly Resource[] = [
	SONG,
	TRACK,
	LYRICS,
	ARTWORK,
	VOICE,
	CATALOG,
	JOB_RESOURCE,
];
