/**
 * What the document leaves open ("not shown"), what we do about it, and the setting by which a
 * user who knows better says so. Never guessed, never refused where it can be done.
 */

import { VIDEO_FAMILIES } from './video/families';
import { isOpen } from './video/family';

/** A property of the credential that carries a path of the service. */
interface PathSetting {
	/** Name of the credential's property. */
	name: string;
	label: string;
	/** `{name}` stands for a value that is filled in. */
	placeholder: string;
	/** Part that the path cannot do without. */
	needs?: string;
}

/** A property of the credential that names a field of the service's answers, by its path there. */
interface FieldSetting {
	/** Name of the credential's property. */
	name: string;
	label: string;
	/** Such a field. */
	placeholder: string;
	/** Which field it names. */
	of: string;
}

export interface OpenPoint {
	/** What is not shown. */
	open: string;
	/** What we do. */
	policy: string;
	/** Credential setting. */
	setting?: PathSetting;
	/** Credential setting for a field. */
	field?: FieldSetting;
	/** Node option. */
	option?: string;
}

/** A status path that is not shown, for one family. */
const statusPath = (name: string, family: string): OpenPoint => ({
	open: `Status path of ${family} when its answer has no generation_id`,
	policy:
		'The path set in the credential; with none set, the job is returned with its identifier, not waited for',
	setting: {
		name,
		label: `Status Path: ${family}`,
		placeholder: '/path/to/status/{job_id}/',
	},
});

/** The path of a creation that is not shown. */
const creationPath = (name: string, what: string): OpenPoint => ({
	open: `Path of ${what}`,
	policy: 'The path set in the credential; with none set, an error before any request',
	setting: { name, label: `Path: ${what}`, placeholder: '/path/to/generate/' },
});

/** Paths of the video families that are not shown: those of the states, then those of creations. */
function familyPoints(): Record<string, OpenPoint> {
	const states = VIDEO_FAMILIES.map(({ status }) => status).filter(isOpen);
	const creations = VIDEO_FAMILIES.flatMap(({ creations }) => creations)
		.map(({ path }) => path)
		.filter(isOpen);
	return Object.fromEntries([
		...states.map(({ setting, of }) => [setting, statusPath(setting, of)] as const),
		...creations.map(({ setting, of }) => [setting, creationPath(setting, of)] as const),
	]);
}

export const OPEN_POINTS = {
	identifier: {
		open: 'Name of the identifier in the answer to a creation whose body is not shown',
		policy:
			'The name that its status route has for it; else the field that the credential names; else generation_id, task_id, job_id, then id; at top level or in data. An answer without any is in the error as a whole',
		field: {
			name: 'identifierField',
			label: 'Field: Job Identifier',
			placeholder: 'taskId',
			of: "the job's identifier in the answer to a creation",
		},
	},
	state: {
		open: 'Field that carries the state where a record is not shown',
		policy:
			'The field that the credential names; else the text field that holds one of the four states, in upper or lower case, status and state before others; at top level or in data. An unknown value counts as not finished',
		field: {
			name: 'stateField',
			label: 'Field: Job State',
			placeholder: 'job.step',
			of: "the job's state in its record",
		},
	},
	resultUrls: {
		open: 'Field of the result URL (image record and others)',
		policy:
			'What is in the field that the credential names; else every http(s) URL of the finished record that does not echo the request, in order. Those whose file name or field speaks for the type of media come first; the same path but for its index is a series; where nothing tells several apart, mediaUrl is the first, with a hint',
		option: 'resultField',
		field: {
			name: 'resultUrlField',
			label: 'Field: Result URL',
			placeholder: 'output.url',
			of: 'the result URL in the record of a completed job',
		},
	},
	listBody: {
		open: 'Body of histories, transactions and model listings',
		policy:
			'An array, or the only array in the body, becomes items; otherwise one item. That the generation history shows the end of a job is a hint to a node that waits for it: its own status is read then. MediaGen Trigger believes an entry that tells the result, and reads the status of a job whose entry does not; an entry without identifier or state is left alone',
	},
	profileUpdate: {
		open: 'Answer to PUT /api/profile/',
		policy: 'Whatever comes is the item; after an answer without a body, its status is',
	},
	imageStatusPath: statusPath('imageStatusPath', 'Unified Image'),
	...familyPoints(),
	musicSubmitPath: {
		open: 'Path that submits a music operation',
		policy: 'The path set in the credential; with none set, an error before any request',
		setting: {
			name: 'musicSubmitPath',
			label: 'Path: Music Operation',
			placeholder: '/path/to/music/{operation}/',
			needs: '{operation}',
		},
	},
	musicStatusPath: statusPath('musicStatusPath', 'Music'),
	musicCatalogPath: {
		open: 'Path of the music catalog, and how its language is asked for',
		policy:
			'The path set in the credential, with {language} where it takes one; with none set, the built-in tables serve',
		setting: {
			name: 'musicCatalogPath',
			label: 'Path: Music Catalog',
			placeholder: '/path/to/music/catalog/?language={language}',
		},
	},
	musicSource: {
		open: 'How the earlier job is named that an operation works on, where it has no field for it',
		policy: 'Sent as source, the name that replace_section and stems have for it',
	},
	musicResult: {
		open: 'Result record of music operations',
		policy:
			'Objects with URLs are takes, with their audio_id or id; what is left of the record is passed on as result',
	},
	uploads: {
		open: 'How an uploaded file travels',
		policy:
			'Multipart form with the other fields as text; the credential can say JSON with URL or base64',
		option: 'Upload Files As (credential)',
	},
	laterMusic: {
		open: 'Fields of voice_generate after singer_skill_level, and operations listed after it',
		policy: 'Reached by Run Any Operation, which takes them from the live catalog',
	},
	unifiedImagePrice: {
		open: 'Price of POST /api/v1/image/generate',
		policy: 'No estimate; creditsUsed is what the answer says',
	},
	optinDiscount: {
		open: 'Discount of family B 3.0 for prompt_directory_optin',
		policy: 'Estimated without it, and marked inexact',
	},
	standardTier: {
		open: 'Value of qualityMode that names the standard tier of family B 3.0',
		policy: 'Any value but pro is taken for it in an estimate, which is marked inexact',
	},
	payloads: {
		open: 'Request fields of Video Studio, image-to-video of families B 3.0 and C, and the further family E',
		policy: 'The user gives them as name/value pairs or JSON; sent as they stand',
	},
} as const satisfies Record<string, OpenPoint>;

/** The row of that name, if there is one. */
export function openPoint(name: string): OpenPoint | undefined {
	return (OPEN_POINTS as Readonly<Record<string, OpenPoint>>)[name];
}

/** All settings that the credential offers for paths that are not shown. */
export function pathSettings(): PathSetting[] {
	const rows: OpenPoint[] = Object.values(OPEN_POINTS);
	return rows.flatMap(({ setting }) => (setting ? [setting] : []));
}

/** All settings that the credential offers for fields that are not shown. */
export function fieldSettings(): FieldSetting[] {
	const rows: OpenPoint[] = Object.values(OPEN_POINTS);
	return rows.flatMap(({ field }) => (field ? [field] : []));
}
