import {
	ACCOUNT_ENDPOINTS,
	IMAGE_CREATIONS,
	IMAGE_READS,
	MUSIC_OPERATIONS,
	VIDEO_CREATIONS,
	VIDEO_READS,
	type Field,
	type Price,
	type Read,
	type Surcharge,
	type Value,
} from '../../document.mts';
import type { ItemKind } from '../../support/product.mts';

/** Which operation of which node is which row of the document. */

interface Way {
	resource: string;
	operation: string;
	/** Values that the operation itself stands for. */
	fixed?: Readonly<Record<string, Value>>;
	/** Fields that its form has beside this way to fill it in. */
	without?: readonly string[];
}

interface Place {
	kind: ItemKind;
	/** Several where the node has an operation for each value of a field. */
	ways: readonly Way[];
}

const way = (resource: string, operation = 'generate', more: Partial<Way> = {}): Way => ({
	resource,
	operation,
	...more,
});
const image = (...ways: Way[]): Place => ({ kind: 'image', ways });
const video = (...ways: Way[]): Place => ({ kind: 'video', ways });

const CREATION_PLACES: Readonly<Record<string, Place>> = {
	image: image(way('image')),
	'unified image': image(way('image', 'generateUnified')),
	'standard video': video(way('standardVideo')),
	'family A': video(way('vidA31')),
	'family B 3.0': video(way('vidB30')),
	'family B 2.6': video(
		way('vidB26', 'textToVideo', { fixed: { generationMode: 'text_to_video' } }),
		way('vidB26', 'imageToVideo', { fixed: { generationMode: 'image_to_video' } }),
	),
	'family C, text to video': video(way('vidC', 'textToVideo')),
	'family C, image to video': video(way('vidC', 'imageToVideo')),
	'family D': video(way('vidD')),
	'family E 2.6': video(
		way('vidE26', 'textToVideo', { fixed: { mode: 'text-to-video' } }),
		way('vidE26', 'imageToVideo', { fixed: { mode: 'image-to-video' } }),
		way('vidE26', 'videoToVideo', { fixed: { mode: 'video-to-video' } }),
	),
	'family E, further version': video(way('vidE')),
	'Video Studio': video(way('videoStudio')),
};

/** The node's groups of music operations; their IDs are the service's. */
const MUSIC_GROUPS: Readonly<Record<string, readonly string[]>> = {
	song: [
		...['generate', 'extend', 'upload_cover', 'upload_extend', 'add_vocals', 'add_instrumental'],
		...['replace_section', 'mashup', 'sounds'],
	],
	track: ['stems', 'wav', 'midi', 'recovery'],
	lyrics: ['lyrics', 'timestamped_lyrics', 'style_boost'],
	artwork: ['cover_art', 'music_video'],
	voice: ['voice_validate', 'voice_regenerate', 'voice_generate'],
};

/** What works on a generated take or on a file: the form asks for one of them. */
const FROM_JOB = { without: ['upload'] };
const FROM_FILE = { without: ['source', 'audio_id'] };

function musicPlace(id: string): Place | undefined {
	const [resource] = Object.entries(MUSIC_GROUPS).find(([, ids]) => ids.includes(id)) ?? [];
	if (resource === undefined) return undefined;
	const choices = ['replace_section', 'stems'].includes(id) ? [FROM_JOB, FROM_FILE] : [{}];
	return { kind: 'music', ways: choices.map((more) => way(resource, id, more)) };
}

/** A creation of the document as one operation of a node makes it. */
export interface Creation extends Way {
	name: string;
	/** Its row. */
	row: string;
	kind: ItemKind;
	/** Those that its form asks for. */
	fields: readonly Field[];
	prices: readonly Price[];
	surcharges: readonly Surcharge[];
	/** Music operations whose results it works on. */
	sources: readonly string[];
	/** Nothing where it is not shown. */
	path?: string;
	/** Property of the credential for the path that is not shown. */
	pathSetting?: string;
}

/** What the items of its jobs say of where their state is read: a choice of Job > Get Status. */
export function startedWith({ kind, resource, operation }: Creation): string {
	if (kind === 'music') return 'music';
	const others: Record<string, string> = {
		'image.generate': 'generation',
		'image.generateUnified': 'imageUnified',
		'standardVideo.generate': 'generation',
	};
	return others[`${resource}.${operation}`] ?? resource;
}

type Row = Pick<Creation, 'prices' | 'fields' | 'path' | 'pathSetting'> & {
	surcharges?: readonly Surcharge[];
	sources?: readonly string[];
};

const nameOf = (row: string, { operation, fixed, without }: Way) =>
	[row, ...(fixed ? [operation] : []), ...(without ? [`without ${without.join()}`] : [])].join(
		', ',
	);

function creationsOf(row: string, place: Place | undefined, given: Row): Creation[] {
	return (place?.ways ?? []).map((one) => {
		const absent = [...Object.keys(one.fixed ?? {}), ...(one.without ?? [])];
		return {
			surcharges: [],
			sources: [],
			...given,
			...one,
			row,
			name: nameOf(row, one),
			kind: place!.kind,
			fields: given.fields.filter(({ name }) => !absent.includes(name)),
		};
	});
}

/** Credits by a field's value as rows of prices. */
const pricesOf = ({ credits, creditsBy }: (typeof MUSIC_OPERATIONS)[number]): Price[] =>
	creditsBy
		? Object.entries(creditsBy.credits).map(([value, amount]) => ({
				when: { [creditsBy.field]: value },
				credits: amount,
			}))
		: [{ when: {}, credits }];

export const CREATIONS: readonly Creation[] = [
	...[...IMAGE_CREATIONS, ...VIDEO_CREATIONS].flatMap((row) =>
		creationsOf(row.name, CREATION_PLACES[row.name], row),
	),
	...MUSIC_OPERATIONS.flatMap((row) =>
		creationsOf(`music: ${row.id}`, musicPlace(row.id), {
			...row,
			prices: pricesOf(row),
			pathSetting: 'musicSubmitPath',
		}),
	),
];

const job = (startedWith: string) => ({ ...way('job', 'get'), startedWith });

/** Where the endpoints are that make no media. */
const READ_PLACES: Readonly<Record<string, { kind: ItemKind } & Way & { startedWith?: string }>> = {
	register: { kind: 'account', ...way('session', 'register') },
	'log in': { kind: 'account', ...way('session', 'logIn') },
	'create API key': { kind: 'account', ...way('apiKey', 'create') },
	'get profile': { kind: 'account', ...way('profile', 'get') },
	'update profile': { kind: 'account', ...way('profile', 'update') },
	'get credits': { kind: 'account', ...way('credits', 'get') },
	'get transactions': { kind: 'account', ...way('credits', 'transactions') },
	'image models': { kind: 'image', ...way('model', 'list') },
	'generation status': { kind: 'image', ...job('generation') },
	'generation history': { kind: 'image', ...way('job', 'history') },
	'family-A status': { kind: 'video', ...job('vidA31') },
	'Video Studio status': { kind: 'video', ...job('videoStudio') },
	'video models': { kind: 'video', ...way('model', 'list') },
	'Video Studio history': { kind: 'video', ...way('videoStudio', 'history') },
};

export const READS = [...ACCOUNT_ENDPOINTS, ...IMAGE_READS, ...VIDEO_READS].flatMap((row: Read) => {
	const place = READ_PLACES[row.name];
	return place ? [{ ...row, ...place, fields: [...(row.body ?? []), ...(row.query ?? [])] }] : [];
});

/** Those whose fields the document shows, and the others. */
export const SHOWN = CREATIONS.filter(({ fields, kind }) => fields.length > 0 || kind === 'music');
export const OPEN = CREATIONS.filter((creation) => !SHOWN.includes(creation));

/** What a request consists of whose fields are not shown. */
export const freeOf = (creation: Creation) =>
	OPEN.includes(creation) ? { prompt: 'a kite' } : undefined;
