import { listInWords } from './values';
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
	/** What it is, and what happens without it. */
	what: string;
	/** The family that it is for; the status path for all families has a place for its name. */
	family?: string;
}

const openIn = (path: Path) => (typeof path === 'string' ? [] : [path.openPoint]);

/** Creation paths of video families that are not shown. */
const VIDEO_PATHS = VIDEO_FAMILIES.flatMap(({ resource, creations }) =>
	creations.flatMap(({ path, label }) =>
		openIn(path).map(
			(name): ServiceDetail => ({
				name,
				label: `Path: ${resource.label} ${label}`,
				example: '/path/to/generate/',
				what: 'Path that starts a job. Nothing is sent without it',
			}),
		),
	),
);

/** Status paths that are not shown, one for each way to start jobs. */
const STATUS_PATHS = JOB_ROUTES.flatMap(({ path, label, value: family, isPathNeeded }) =>
	openIn(path).map(
		(name): ServiceDetail => ({
			name,
			label: `Status Path: ${label}`,
			example: '/path/to/status/{job_id}/',
			what: `Path of the status of a job, where it differs from Status Path${isPathNeeded ? '; without both, no job is started' : ''}`,
			family,
		}),
	),
);

const FAMILIES = STATUS_PATHS.flatMap(({ family }) => family ?? []);

/** All rows that the credential offers. */
export const SERVICE_DETAILS: readonly ServiceDetail[] = [
	{
		name: 'statusPath',
		label: 'Status Path',
		example: '/path/to/{family}/status/{job_id}/',
		what: `Path of the status of a job, for families whose own is not documented. It has {job_id} for the identifier, and may have {family} for the family: ${listInWords(FAMILIES, 'or')}. Without it, the node looks in the documented places`,
	},
	{
		name: 'musicSubmitPath',
		label: 'Path: Music Operation',
		example: '/path/to/music/{operation}/',
		what: 'Path that starts a music job; nothing is sent without it. Without {operation}, the body names the operation',
	},
	{
		name: 'musicCatalogPath',
		label: 'Path: Music Catalog',
		example: '/path/to/music/catalog/?language={language}',
		what: 'Path of the list of music operations, for Catalog > Get. Nothing is sent without it',
	},
	{
		name: 'musicOperationField',
		label: 'Field: Music Operation',
		example: 'action',
		what: 'Name of the field for the music operation, if it is not operation',
	},
	{
		name: 'musicSourceField',
		label: 'Field: Source Job',
		example: 'source_id',
		what: 'Name of the field for the earlier job, if it is not source',
	},
	{
		name: 'identifierField',
		label: 'Field: Job Identifier',
		example: 'taskId',
		what: "Name or path of the job's identifier in the answer to a creation, if it is not one of the usual",
	},
	{
		name: 'stateField',
		label: 'Field: Job State',
		example: 'job.step',
		what: "Name or path of the job's state in its record. Without it, the field that has one of the four states",
	},
	{
		name: 'resultUrlField',
		label: 'Field: Result URL',
		example: 'output.url',
		what: 'Name or path of the result URL in the record of a completed job. Without it, every URL that is not in the request',
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
