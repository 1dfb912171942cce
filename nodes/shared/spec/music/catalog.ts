import { text } from '../field';
import { JOB_RESOURCE } from '../jobs';
import type { ListOperation, Resource } from '../operation';

/** The music studio, grouped as a musician would look for things. */
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

/** Row of the open points whose setting carries the path of the catalog. */
export const CATALOG_PATH = 'musicCatalogPath';

/** The path is not shown. */
export const GET_CATALOG: ListOperation = {
	kind: 'list',
	resource: CATALOG.value,
	operation: 'get',
	label: 'Get',
	action: 'Get the music catalog',
	description: 'Read the models and operations of the music studio, as the service describes them',
	method: 'GET',
	path: { openPoint: CATALOG_PATH },
	fields: [
		text('language', 'Language', {
			place: 'optional',
			sentAs: 'path',
			isWord: true,
			byDefault: 'en',
			placeholder: 'en',
			description: 'Language of labels and help, where the path in the credential has {language}',
		}),
	],
};
