/**
 * What the document leaves open ("not shown"), what we do about it, and the setting by which a
 * user who knows better says so. We never guess, and never refuse what can be done.
 */

import { listInWords } from './conditions';
import { UPLOAD_SETTING } from './music/fields';
import { VIDEO_FAMILIES } from './video/families';
import { isOpen } from './video/family';

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
	/** What is not shown. */
	open: string;
	/** What we do. */
	policy: string;
	/** Credential setting. */
	setting?: PathSetting;
	/** Credential setting for a field. */
	field?: FieldSetting;
	/** Another property of the credential, by its label. */
	credential?: string;
	/** Name of an option of the node. */
	option?: string;
}

/** Stands for the family in a path that serves several. */
export const FAMILY_PLACE = '{family}';

/** What we do where no status path is set: we try other places (`STATUS_LADDER`). */
const SEARCHED =
	'The node looks for the job where the service documents a status of any generation, and in the two histories. What answers with this very job is taken, and later jobs are read there. If nothing does, the node outputs the job with its identifier, and says what was tried';

/**
 * A status path that is not shown, for one family.
 *
 * @param isOnlyWay whether no documented path serves its jobs
 */
const statusPath = (name: string, of: string, family: string, isOnlyWay = false) => ({
	open: `Status path of ${of}`,
	policy: isOnlyWay
		? 'The node outputs the job with its identifier, and does not wait for it, unless the answer has a link to its status'
		: SEARCHED,
	setting: {
		name,
		label: `Status Path: ${of}`,
		placeholder: '/path/to/status/{job_id}/',
		family,
	},
});

/** The path of a creation that is not shown. */
const creationPath = (name: string, what: string) => ({
	open: `Path of ${what}`,
	policy: 'The operation ends with an error before any request',
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
		isOpen(status) ? statusPath(status.openPoint, status.of, resource.value) : [],
	);
	const creations = VIDEO_FAMILIES.flatMap(({ creations }) => creations).flatMap(({ path }) =>
		isOpen(path) ? creationPath(path.openPoint, path.of) : [],
	);
	return Object.fromEntries([...states, ...creations].map((row) => [row.setting.name, row]));
}

export const OPEN_POINTS = {
	identifier: {
		open: 'Name of the job identifier, if the answer to a started job is not documented',
		policy:
			'The node first looks for the name that the status path uses, then for the field that the credential names, then for generation_id, task_id, job_id and id, at the top level or in data. If an answer has none of them, the error shows the whole answer',
		field: {
			name: 'identifierField',
			label: 'Field: Job Identifier',
			placeholder: 'taskId',
			of: "the job's identifier in the answer to a creation",
		},
	},
	state: {
		open: 'Field that holds the state, if the record of a job is not documented',
		policy:
			'The node takes the field that the credential names. If the credential names none, the node takes the text field that holds one of the four states, in upper or lower case, at the top level or in data. It prefers fields called status or state. A job in an unknown state counts as not finished',
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
			'The node takes what is in the field that the credential names. If the credential names none, the node collects every http(s) URL in the finished record that was not in the request. URLs whose file name or field fits the type of media come first. URLs in one list, such as takes, belong together. If nothing tells several URLs apart, mediaUrl is the first one, and a hint says so. An address that begins with / counts from the Base URL. A completed record without any URL is read again a few times; then the item has what else it says, with a warning',
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
			'If the body is an array, or contains exactly one, the entries become items. Any other body is one item. When the generation history says that a job has ended, a node that waits for the job reads its status at once. MediaGen Trigger takes the result from the history entry if it is there, and otherwise reads the status of the job. It leaves out entries without an identifier or a state',
	},
	profileUpdate: {
		open: 'Answer to PUT /api/profile/',
		policy: 'The answer becomes the item. If the answer has no body, the item has its status',
	},
	tooManyAtATime: {
		open: 'Answer to one generation too many at a time, and whether it differs from the answer to too many requests',
		policy:
			'A 429 to a request that starts a job may mean either. The node sends that request again later. Until then, it has no more jobs running than at the time of the 429, and goes on checking those. It waits as long as the header Retry-After says, if there is one. Any other answer that refuses the job is an error of its item',
	},
	callbacks: {
		open: 'Callbacks of image jobs: when they are sent, what they contain, and how to register an address',
		policy:
			'The nodes do not use them. A node that waits for a job asks for its status, and MediaGen Trigger asks which jobs have ended',
	},
	imageStatusPath: statusPath('imageStatusPath', 'Unified Image', 'imageUnified'),
	...familyPoints(),
	musicSubmitPath: {
		open: 'Path that submits a music operation',
		policy: 'The operations end with an error before any request',
		setting: {
			name: 'musicSubmitPath',
			label: 'Path: Music Operation',
			placeholder: '/path/to/music/{operation}/',
			description:
				'When empty, music operations end with an error before any request. Without {operation}, the body names the operation',
		},
	},
	musicOperation: {
		open: 'How a request names the music operation',
		policy:
			'If Path: Music Operation in the credential has {operation}, the ID of the operation, such as upload_cover, takes its place. If not, the node sends the ID in the body, as operation or under the name in the credential',
		field: {
			name: 'musicOperationField',
			label: 'Field: Music Operation',
			placeholder: 'action',
			of: 'the field for the music operation',
			byDefault: 'operation',
		},
	},
	musicStatusPath: statusPath('musicStatusPath', 'Music', 'music', true),
	musicCatalogPath: {
		open: 'Path of the music catalog, and how its language is asked for',
		policy:
			'Built-in tables replace the catalog. If the path takes a language, write {language} there',
		setting: {
			name: 'musicCatalogPath',
			label: 'Path: Music Catalog',
			placeholder: '/path/to/music/catalog/?language={language}',
			description: 'When empty, built-in tables replace the catalog',
		},
	},
	musicSource: {
		open: 'How to name the earlier job that an operation works on, if the operation has no field for it',
		policy:
			'The node sends it as source, the name that replace_section and stems use, or under the name in the credential',
		field: {
			name: 'musicSourceField',
			label: 'Field: Source Job',
			placeholder: 'source_id',
			of: 'the field for the earlier job',
			byDefault: 'source',
		},
	},
	musicResult: {
		open: 'Result record of music operations',
		policy:
			'Objects with URLs become takes, with their audio_id or id. The rest of the record becomes result',
	},
	uploads: {
		open: 'How an uploaded file is sent',
		policy:
			'The node sends it as a multipart form, with the other fields as text. In the credential, you can choose JSON with a URL or with Base64',
		credential: UPLOAD_SETTING.label,
	},
	laterMusic: {
		open: 'Fields of voice_generate after singer_skill_level, and operations listed after it',
		policy: 'Catalog > Run Any Operation takes them from the live catalog',
	},
	legacy: {
		open: 'Which endpoints are legacy, and which image models the unified and the legacy set have',
		policy:
			'The nodes use every documented endpoint. The service keeps older ones as legacy; for how long is not documented. Model > Get Many lists the image models',
	},
	unifiedImagePrice: {
		open: 'Price of POST /api/v1/image/generate',
		policy: 'There is no estimate. creditsUsed is what the answer says',
	},
	optinDiscount: {
		open: 'Discount of family B 3.0 for prompt_directory_optin',
		policy: 'Estimates leave the discount out, and say that they are not exact',
	},
	imageDiscount: {
		open: 'Whether image-to-video in family C takes prompt_directory_optin, as text-to-video does',
		policy:
			'Estimates have the documented price, without a discount. creditsUsed is what the job has cost',
	},
	standardTier: {
		open: 'Value of qualityMode that names the standard tier of family B 3.0',
		policy:
			'Estimates for every value except pro have the price of pro, and say that they are not exact',
	},
	payloads: {
		open: 'Request fields of Video Studio, of image-to-video in families B 3.0 and C, and of family E',
		policy: 'You enter them as name/value pairs or JSON. The node sends them unchanged',
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
