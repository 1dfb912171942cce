import type { Value, When } from './values';
import type { Field } from './field';

/** What an operation of the service is. Section names in comments are those of the service's document. */

export type MediaType = 'image' | 'video' | 'audio' | 'text';

/** Credits of a job under a condition. */
export type PriceRow = readonly [when: When, credits: number];

/** The price of a request as data (sections "Endpoints" and "Music catalog"): one row holds for a complete request. */
export interface Price {
	rows: readonly PriceRow[];
	/** The row is for one unit of this numeric field (such as one second). */
	times?: string;
	/** Added under a condition, or taken off if negative; `from` is the least price to which that applies. */
	extras?: ReadonlyArray<{ when: When; credits: number; from?: number }>;
	/** The price is certain only then; else it is the most that the job can cost. */
	exactWhen?: When;
	/** Why it may be less. */
	doubt?: string;
}

/** How the state of jobs that were started in one way is read. */
export interface JobRoute {
	/** Names the way; items have it as `startedWith`. */
	value: string;
	label: string;
	/** `{name}` stands for the identifier. */
	path: Path;
	/** The documented name of the identifier that this route takes. */
	idField?: string;
	/** Documented field of the state, where there is one. */
	stateField?: string;
	/** Documented field of the result URL, by media type, where there is one. */
	urlFields?: Readonly<Partial<Record<MediaType, string>>>;
	/** What such jobs make. */
	mediaTypes: readonly MediaType[];
	/** The generation history lists such jobs, too. */
	isInHistory?: true;
	/** No job is started without a status path in the credential: no documented place tells the state of such jobs. */
	isPathNeeded?: true;
	/** Present where the path is that of a list, which has the job among its entries. */
	list?: JobList;
}

/**
 * A path relative to the base URL, as documented; else the row of the credential's Service Details that has it. Credentials
 * have the name of the row, so it never changes.
 */
export type Path = string | { openPoint: string };

interface OperationBase {
	/** Groups operations in the node (n8n's "resource"). Stored in workflows, so it never changes. */
	resource: string;
	/** n8n's "operation", unique in its resource. Stored in workflows, so it never changes. */
	operation: string;
	/** As shown in the dropdown. */
	label: string;
	/** As shown in n8n's list of actions; becomes the node's name on the canvas. */
	action: string;
	description: string;
	method: 'GET' | 'POST' | 'PUT';
	/** Empty where nothing is sent; `{name}` stands for the field of that name. */
	path: Path;
	fields: readonly Field[];
	/** Fields of the form only: what is chosen in them is not sent. */
	controls?: readonly Field[];
	/** Values that define the operation, such as the mode of an endpoint that has several. */
	fixed?: Readonly<Record<string, Value>>;
}

/** Starts a paid job. */
export interface CreateOperation extends OperationBase {
	kind: 'create';
	/** Absent for an operation that the document does not list. */
	mediaType?: MediaType;
	/** Absent where the document shows none. */
	price?: Price;
	/** Row of the Service Details that names the field for the operation, if its path has no place for it. */
	operationIn?: string;
	/** The fields of the answer, inside `{ success, data }`, where the document shows it; the job's identifier is the first. */
	result?: readonly string[];
	/** Makes something other than a song from a song, such as its cover art: the item names the song for the next node. */
	passesSourceOn?: boolean;
	/** Where the state of its jobs is read. */
	status: JobRoute;
	/** Typical time to completion, in seconds, by condition, where the document says so. */
	takes?: ReadonlyArray<readonly [when: When, from: number, to: number]>;
}

/** A list of jobs. */
export interface JobList {
	operation: ListOperation;
	/** Names that the document has for the identifier of its entries. */
	idFields: readonly string[];
	/** Where the state of its jobs is read. */
	route: JobRoute;
	/** Its query field that asks for one media type; only for types that it has as an option. */
	typeField?: string;
	/** Is the history of all generations. */
	isHistory?: true;
}

/** Reads the state of one job; `follow` waits until it has ended. */
export interface StatusOperation extends OperationBase {
	kind: 'status';
	/** All ways to start jobs; the operation reads at the path of the chosen one. */
	routes: readonly JobRoute[];
	follow: boolean;
}

/** Reads a list of records. */
export interface ListOperation extends OperationBase {
	kind: 'list';
	/** Has the query fields `limit` and `offset`. */
	isPaged?: true;
}

/** Reads or writes one record; free of charge. */
export interface RecordOperation extends OperationBase {
	kind: 'record';
	/** The fields of its answer (section "Resources and their fields"). Where they are not shown, it may have no body. */
	answer?: RecordFields;
}

/** The fields of a record. */
export interface RecordFields {
	readonly [name: string]: 'string' | 'number' | 'boolean' | RecordFields;
}

/** Finds the paid jobs of an execution that waits durably, has failed or was stopped, and waits for them. */
export interface RecoverOperation extends OperationBase {
	kind: 'recover';
}

export type Operation =
	| CreateOperation
	| StatusOperation
	| ListOperation
	| RecordOperation
	| RecoverOperation;

/** A group of operations, as shown in the node's first dropdown. */
export interface Resource {
	value: string;
	label: string;
	description: string;
}

export const resource = (value: string, label: string, description: string): Resource => ({
	value,
	label,
	description,
});

/** Everything that one node offers. */
export interface Catalog {
	resources: readonly Resource[];
	operations: readonly Operation[];
}

/**
 * Status of any generation, image or video (section "Images"); answers the flat record. It also serves jobs of which
 * nothing says what they were started with.
 */
export const GENERATION_ROUTE: JobRoute & { path: string } = {
	value: 'generation',
	label: 'Image or Standard Video',
	path: '/api/v1/generate/{generation_id}/',
	idField: 'generation_id',
	stateField: 'status',
	urlFields: { video: 'video_url' },
	mediaTypes: ['image', 'video'],
	isInHistory: true,
};

/** The path is not shown. */
export const UNIFIED_IMAGE_ROUTE: JobRoute = {
	value: 'imageUnified',
	label: 'Image (Unified)',
	path: { openPoint: 'imageStatusPath' },
	mediaTypes: ['image'],
};

/** The path is not shown, and no documented list has music. */
export const MUSIC_ROUTE: JobRoute = {
	value: 'music',
	label: 'Music',
	path: { openPoint: 'musicStatusPath' },
	mediaTypes: ['audio'],
	isPathNeeded: true,
};
