/**
 * What the document leaves open ("not shown"), and the setting by which a user who knows better says so. We never
 * guess, and never refuse what can be done. What we do about each is on a page (`tools/lib/docs/openPointTexts.mts`).
 */

import { listInWords } from './conditions';
import { VIDEO_FAMILIES } from './video/families';
import { isOpen, statusPointOf } from './video/family';

/** A property of the credential that carries a path of the service. */
export interface PathSetting {
	/** Name of the credential's property. */
	name: string;
	label: string;
	/** `{name}` stands for a value that is filled in. */
	placeholder: string;
	/** What the form says about it, such as what happens when it is empty. */
	description?: string;
	/** The family that it is for; the setting for all families has a place for its name (`STATUS_PATH`). */
	family?: string;
}

/** A property of the credential that names a field of the service, or the path of a field in its answers. */
interface FieldSetting {
	/** Name of the credential's property. */
	name: string;
	label: string;
	/** An example of a name or path. */
	placeholder: string;
	/** Which field it names. */
	of: string;
	/** For a field that is sent: its name where the credential has none. */
	byDefault?: string;
}

export interface OpenPoint {
	/** Credential setting. */
	setting?: PathSetting;
	/** Credential setting for a field. */
	field?: FieldSetting;
}

/** Stands for the family in a path that serves several. */
export const FAMILY_PLACE = '{family}';

/** A status path that is not shown, for one family. */
const statusPath = (name: string, of: string, family: string) => ({
	setting: {
		name,
		label: `Status Path: ${of}`,
		placeholder: '/path/to/status/{job_id}/',
		family,
	},
});

/** The path of a creation that is not shown. */
const creationPath = (name: string, what: string) => ({
	setting: {
		name,
		label: `Path: ${what}`,
		placeholder: '/path/to/generate/',
		description: 'When empty, the operation ends with an error before any request',
	},
});

/** Paths of the video families that are not shown: first the status paths, then the creation paths. */
function familyPoints(): Record<string, OpenPoint> {
	const states = VIDEO_FAMILIES.flatMap(({ status, resource }) =>
		status ? [] : statusPath(statusPointOf(resource), resource.label, resource.value),
	);
	const creations = VIDEO_FAMILIES.flatMap(({ creations }) => creations).flatMap(({ path }) =>
		isOpen(path) ? creationPath(path.openPoint, path.of) : [],
	);
	return Object.fromEntries([...states, ...creations].map((row) => [row.setting.name, row]));
}

/** By name: each point that has a setting. The others are only on the page. */
export const OPEN_POINTS = {
	identifier: {
		field: {
			name: 'identifierField',
			label: 'Field: Job Identifier',
			placeholder: 'taskId',
			of: "the job's identifier in the answer to a creation",
		},
	},
	state: {
		field: {
			name: 'stateField',
			label: 'Field: Job State',
			placeholder: 'job.step',
			of: "the job's state in its record",
		},
	},
	resultUrls: {
		field: {
			name: 'resultUrlField',
			label: 'Field: Result URL',
			placeholder: 'output.url',
			of: 'the result URL in the record of a completed job',
		},
	},
	imageStatusPath: statusPath('imageStatusPath', 'Unified Image', 'imageUnified'),
	...familyPoints(),
	musicSubmitPath: {
		setting: {
			name: 'musicSubmitPath',
			label: 'Path: Music Operation',
			placeholder: '/path/to/music/{operation}/',
			description:
				'When empty, music operations end with an error before any request. Without {operation}, the body names the operation',
		},
	},
	musicOperation: {
		field: {
			name: 'musicOperationField',
			label: 'Field: Music Operation',
			placeholder: 'action',
			of: 'the field for the music operation',
			byDefault: 'operation',
		},
	},
	musicStatusPath: statusPath('musicStatusPath', 'Music', 'music'),
	musicCatalogPath: {
		setting: {
			name: 'musicCatalogPath',
			label: 'Path: Music Catalog',
			placeholder: '/path/to/music/catalog/?language={language}',
			description: 'When empty, Catalog > Get ends with an error before any request',
		},
	},
	musicSource: {
		field: {
			name: 'musicSourceField',
			label: 'Field: Source Job',
			placeholder: 'source_id',
			of: 'the field for the earlier job',
			byDefault: 'source',
		},
	},
} as const satisfies Record<string, OpenPoint>;

const ROWS: readonly OpenPoint[] = Object.values(OPEN_POINTS);

/** All settings that the credential offers for paths that are not shown. */
export const PATH_SETTINGS = ROWS.flatMap(({ setting }) => setting ?? []);

/** Families whose status path is not shown. */
const FAMILIES = PATH_SETTINGS.flatMap(({ family }) => family ?? []);

/** One status path for all families whose own is not shown. */
export const STATUS_PATH = {
	name: 'statusPath',
	label: 'Status Path',
	placeholder: '/path/to/{family}/status/{job_id}/',
	description: `Path for reading the status of a job, for families whose own path is not documented. It has {job_id} for the identifier, and may have ${FAMILY_PLACE} for the family: ${listInWords(FAMILIES, 'or')}. When empty, the node tries the documented places.`,
} as const satisfies PathSetting;

/** The row of that name, if there is one. */
export function openPoint(name: string): OpenPoint | undefined {
	return (OPEN_POINTS as Readonly<Record<string, OpenPoint>>)[name];
}

/** All settings that the credential offers for fields that are not shown. */
export const FIELD_SETTINGS = ROWS.flatMap(({ field }) => field ?? []);
