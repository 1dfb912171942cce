import { text } from '../field';
import { JOB_RESOURCE } from '../jobs';
import { type ListOperation, type Resource, resource } from '../operation';

/** The music studio, grouped as a musician would look for things. */
export const SONG = resource('song', 'Song', 'Songs, covers, extensions, sounds');
export const TRACK = resource('track', 'Track Processing', 'Stems, WAV, MIDI, fresh links');
export const LYRICS = resource('lyrics', 'Lyrics and Style', 'Lyrics, their timings, style texts');
export const ARTWORK = resource('artwork', 'Artwork and Video', 'Cover art and video for a take');
export const VOICE = resource('voice', 'Voice', 'A voice of your own, from a sample');
export const CATALOG = resource('catalog', 'Catalog', 'What the music studio offers today');

export const MUSIC_RESOURCES: readonly Resource[] = [
	SONG,
	TRACK,
	LYRICS,
	ARTWORK,
	VOICE,
	CATALOG,
	JOB_RESOURCE,
];

/** The path is not shown. */
export const GET_CATALOG: ListOperation = {
	kind: 'list',
	resource: CATALOG.value,
	// Not `get`, which reads a job: the form then has the options of jobs once.
	operation: 'getCatalog',
	label: 'Get',
	action: 'Get the music catalog',
	description: 'Read the models and operations of the music studio, as the service describes them',
	method: 'GET',
	path: { openPoint: 'musicCatalogPath' },
	fields: [
		text(
			'language',
			'Language',
			'Language of labels and help, where the path in the credential has {language}',
			{ place: 'optional', sentAs: 'path', isWord: true, byDefault: 'en', placeholder: 'en' },
		),
	],
};
