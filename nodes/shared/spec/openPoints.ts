import { listInWords } from './conditions';
import { JOB_ROUTES } from './jobs';
import type { Path } from './operation';
import { VIDEO_FAMILIES } from './video/families';

/**
 * What the document leaves open ("not shown"), and the row of the credential by which a user who knows better says so. We
 * never guess, and never refuse what can be done.
 */

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
}

/** Stands for the family in a path that serves several. */
export const FAMILY_PLACE = '{family}';

const NOTHING_SENT = 'an error before any request';

const openIn = (path: Path) => (typeof path === 'string' ? [] : [path]);

/** Creation paths of video families that are not shown. */
const VIDEO_PATHS = VIDEO_FAMILIES.flatMap(({ creations }) => creations)
	.flatMap(({ path }) => openIn(path))
	.map(
		({ openPoint, of }): ServiceDetail => ({
			name: openPoint,
			label: `Path: ${of}`,
			example: '/path/to/generate/',
			what: 'Path that starts a job',
			otherwise: NOTHING_SENT,
		}),
	);

/** Status paths that are not shown, one for each way to start jobs. */
const STATUS_PATHS = JOB_ROUTES.flatMap(({ path, label, value }) =>
	openIn(path).map(
		({ openPoint }): ServiceDetail => ({
			name: openPoint,
			label: `Status Path: ${label}`,
			example: '/path/to/status/{job_id}/',
			what: 'Path of the status of a job, where it differs from Status Path',
			otherwise: 'Status Path',
			family: value,
		}),
	),
);

const FAMILIES = STATUS_PATHS.flatMap(({ family }) => family ?? []);

/** One status path for all families whose own is not shown. */
export const STATUS_PATH = {
	name: 'statusPath',
	label: 'Status Path',
	example: `/path/to/${FAMILY_PLACE}/status/{job_id}/`,
	what: `Path of the status of a job, for families whose own is not documented. It has {job_id} for the identifier, and may have ${FAMILY_PLACE} for the family: ${listInWords(FAMILIES, 'or')}`,
	otherwise: 'the node looks in the documented places',
} as const satisfies ServiceDetail;

/** The name of the identifier in the answer to a creation. */
export const IDENTIFIER_FIELD = {
	name: 'identifierField',
	label: 'Field: Job Identifier',
	example: 'taskId',
	what: "Name or path of the job's identifier in the answer to a creation",
	otherwise: 'the usual names',
} as const satisfies ServiceDetail;

/** All rows that the credential offers. */
export const SERVICE_DETAILS: readonly ServiceDetail[] = [
	STATUS_PATH,
	{
		name: 'musicSubmitPath',
		label: 'Path: Music Operation',
		example: '/path/to/music/{operation}/',
		what: 'Path that starts a music job. Without {operation}, the body names the operation',
		otherwise: NOTHING_SENT,
	},
	{
		name: 'musicCatalogPath',
		label: 'Path: Music Catalog',
		example: '/path/to/music/catalog/?language={language}',
		what: 'Path of the list of music operations, for Catalog > Get',
		otherwise: NOTHING_SENT,
	},
	{
		name: 'musicOperationField',
		label: 'Field: Music Operation',
		example: 'action',
		what: 'Name of the field for the music operation',
		otherwise: 'operation',
	},
	{
		name: 'musicSourceField',
		label: 'Field: Source Job',
		example: 'source_id',
		what: 'Name of the field for the earlier job',
		otherwise: 'source',
	},
	IDENTIFIER_FIELD,
	{
		name: 'stateField',
		label: 'Field: Job State',
		example: 'job.step',
		what: "Name or path of the job's state in its record",
		otherwise: 'the field that has one of the four states',
	},
	{
		name: 'resultUrlField',
		label: 'Field: Result URL',
		example: 'output.url',
		what: 'Name or path of the result URL in the record of a completed job',
		otherwise: 'every URL of the record that is not in the request',
	},
	...VIDEO_PATHS,
	...STATUS_PATHS,
];

/** The row of that name, if there is one. */
export const detailNamed = (name: string): ServiceDetail | undefined =>
	SERVICE_DETAILS.find((one) => one.name === name);

/** Ways to send a file, since the document shows none; the first applies unless the credential says otherwise. */
export const UPLOAD_MODES = [
	{
		value: 'multipart',
		label: 'Multipart Form',
		description: 'The file itself, in a form with the other fields as text',
	},
	{
		value: 'url',
		label: 'JSON with URL',
		description: 'The address of the file as a JSON text; the service fetches it',
	},
	{
		value: 'base64',
		label: 'JSON with Base64',
		description: 'The file itself as a JSON text in base64',
	},
] as const;

export type UploadMode = (typeof UPLOAD_MODES)[number]['value'];
