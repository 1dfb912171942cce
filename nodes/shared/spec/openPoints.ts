/**
 * What the document leaves open ("not shown"), and the row of the credential by which a user who knows better says so. We
 * never guess, and never refuse what can be done. What we do about each is on a page (`tools/lib/docs/openPointTexts.mts`).
 */

import { listInWords } from './conditions';
import { VIDEO_FAMILIES } from './video/families';
import { isOpen, statusPointOf } from './video/family';

/** A row that the credential's list Service Details may have: a path of the service, or the name of a field. */
interface ServiceDetail {
	/** Saved credentials have it, so it never changes. */
	name: string;
	label: string;
	/** `{name}` stands for a value that is filled in. */
	example: string;
	/** What it is. */
	what: string;
	/** What happens without it. */
	otherwise: string;
	/** The family that it is for; the status path for all families has a place for its name (`STATUS_PATH`). */
	family?: string;
	/** For a field that is sent: its name where the credential has none. */
	byDefault?: string;
}

/** Stands for the family in a path that serves several. */
export const FAMILY_PLACE = '{family}';

/** A status path that is not shown, for one family. */
const statusPath = (name: string, of: string, family: string): ServiceDetail => ({
	name,
	label: `Status Path: ${of}`,
	example: '/path/to/status/{job_id}/',
	what: 'Path of the status of a job, where it differs from Status Path',
	otherwise: 'Status Path',
	family,
});

/** The path of a creation that is not shown. */
const creationPath = (name: string, of: string): ServiceDetail => ({
	name,
	label: `Path: ${of}`,
	example: '/path/to/generate/',
	what: 'Path that starts a job',
	otherwise: 'an error before any request',
});

const field = (
	name: string,
	label: string,
	row: Pick<ServiceDetail, 'example' | 'what' | 'otherwise' | 'byDefault'>,
) => ({ name, label: `Field: ${label}`, ...row });

/** Paths of the video families that are not shown: first the creation paths, then the status paths. */
function familyPaths(): Record<string, ServiceDetail> {
	const creations = VIDEO_FAMILIES.flatMap(({ creations }) => creations).flatMap(({ path }) =>
		isOpen(path) ? creationPath(path.openPoint, path.of) : [],
	);
	const states = VIDEO_FAMILIES.flatMap(({ status, resource }) =>
		status ? [] : statusPath(statusPointOf(resource), resource.label, resource.value),
	);
	return Object.fromEntries([...creations, ...states].map((row) => [row.name, row]));
}

/** By name: each point that has a row. The others are only on the page. */
export const OPEN_POINTS = {
	musicSubmitPath: {
		...creationPath('musicSubmitPath', 'Music Operation'),
		example: '/path/to/music/{operation}/',
		what: 'Path that starts a music job. Without {operation}, the body names the operation',
	},
	musicCatalogPath: {
		...creationPath('musicCatalogPath', 'Music Catalog'),
		example: '/path/to/music/catalog/?language={language}',
		what: 'Path of the list of music operations, for Catalog > Get',
	},
	musicOperation: field('musicOperationField', 'Music Operation', {
		example: 'action',
		what: 'Name of the field for the music operation',
		otherwise: 'operation',
		byDefault: 'operation',
	}),
	musicSource: field('musicSourceField', 'Source Job', {
		example: 'source_id',
		what: 'Name of the field for the earlier job',
		otherwise: 'source',
		byDefault: 'source',
	}),
	identifier: field('identifierField', 'Job Identifier', {
		example: 'taskId',
		what: "Name or path of the job's identifier in the answer to a creation",
		otherwise: 'the usual names',
	}),
	state: field('stateField', 'Job State', {
		example: 'job.step',
		what: "Name or path of the job's state in its record",
		otherwise: 'the field that has one of the four states',
	}),
	resultUrls: field('resultUrlField', 'Result URL', {
		example: 'output.url',
		what: 'Name or path of the result URL in the record of a completed job',
		otherwise: 'every URL of the record that is not in the request',
	}),
	...familyPaths(),
	imageStatusPath: statusPath('imageStatusPath', 'Unified Image', 'imageUnified'),
	musicStatusPath: statusPath('musicStatusPath', 'Music', 'music'),
} as const satisfies Record<string, ServiceDetail>;

const ROWS: readonly ServiceDetail[] = Object.values(OPEN_POINTS);

/** Families whose status path is not shown. */
const FAMILIES = ROWS.flatMap(({ family }) => family ?? []);

/** One status path for all families whose own is not shown. */
export const STATUS_PATH = {
	name: 'statusPath',
	label: 'Status Path',
	example: `/path/to/${FAMILY_PLACE}/status/{job_id}/`,
	what: `Path of the status of a job, for families whose own is not documented. It has {job_id} for the identifier, and may have ${FAMILY_PLACE} for the family: ${listInWords(FAMILIES, 'or')}`,
	otherwise: 'the node looks in the documented places',
} as const satisfies ServiceDetail;

/** The row of that name, if there is one. */
export function openPoint(name: string): ServiceDetail | undefined {
	return (OPEN_POINTS as Readonly<Record<string, ServiceDetail>>)[name];
}

/** All rows that the credential offers. */
export const SERVICE_DETAILS: readonly ServiceDetail[] = [STATUS_PATH, ...ROWS];
