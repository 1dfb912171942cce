import { text } from '../fields';
import { JOB_RESOURCE } from '../jobs';
import type { AnyOperation, CatalogOperation, Resource } from '../types';

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

/** Fields of a catalog answer `{ success, data: { models, operations } }` (section "Music catalog"). */
export const MODELS_FIELD = 'models';
export const OPERATIONS_FIELD = 'operations';

/** Row of the open points whose setting carries the path of the catalog. */
export const CATALOG_PATH = 'musicCatalogPath';

/** Field of the form that names the operation to run; how a request names it is an open point. */
export const OPERATION_ID = 'operationId';

export const DEFAULT_LANGUAGE = 'en';

const language = text('language', 'Language', {
	presence: 'expected',
	default: DEFAULT_LANGUAGE,
	placeholder: DEFAULT_LANGUAGE,
	description: 'Language of labels and help, where the path in the credential has {language}',
});

export const GET_CATALOG: CatalogOperation = {
	kind: 'catalog',
	resource: CATALOG.value,
	operation: 'get',
	label: 'Get',
	action: 'Get the music catalog',
	description: 'Read the models and operations of the music studio, as one item',
	method: 'GET',
	path: { openPoint: CATALOG_PATH },
	fields: [language],
};

export const RUN_ANY: AnyOperation = {
	kind: 'any',
	resource: CATALOG.value,
	operation: 'run',
	label: 'Run Any Operation',
	action: 'Run any music operation',
	description: 'Run an operation of the live catalog, also one that this node does not list',
	method: 'POST',
	path: { openPoint: 'musicSubmitPath' },
	fields: [language],
};
