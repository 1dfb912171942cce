/**
 * The typed form in which every operation of the Media Generation Service is written down.
 *
 * These tables are data: form, validation, price, sandbox routes and reference follow from them.
 * Nothing here knows of n8n. Section names in comments are those of the service's document.
 */

export type Value = string | number | boolean;

/** Holds when every named field has one of the listed values, e.g. `{ mode: ['image-to-video'] }`. */
export type Condition = Readonly<Record<string, readonly Value[]>>;

/** A condition that may also rule values out, for when the document names only one of several. */
export type RateCondition = Readonly<
	Record<string, readonly Value[] | { readonly not: readonly Value[] }>
>;

/**
 * Kinds of field. The first seven are those of the document's field descriptors ("Music
 * catalog"), the rest those of its endpoint tables.
 */
export type FieldType =
	| 'text'
	| 'textarea'
	| 'toggle'
	| 'select'
	| 'number'
	| 'upload'
	| 'source'
	| 'integer'
	| 'url'
	| 'urlList'
	/** Fields that the document does not show, as one JSON object; each is sent as a field of its own. */
	| 'fields';

/**
 * - `required`: the document says so; without it the service answers 400.
 * - `expected`: part of the documented body, marked neither required nor optional. The form
 *   shows it beside the required ones and always sends it, which is right under either reading.
 * - `optional`: marked optional, has a default, or is a switch: sent only when the user adds it.
 */
type Presence = 'required' | 'expected' | 'optional';

export interface Option {
	value: Value;
	/** As shown in the dropdown; the value itself when absent. */
	label?: string;
	help?: string;
}

export interface Field {
	/** Exactly the service's name for it. */
	name: string;
	label: string;
	type: FieldType;
	presence: Presence;
	/** One sentence for the form; bounds are added to it from the data below. */
	description?: string;
	/** What the URL leads to. The user may name a file of the item instead. */
	media?: 'image' | 'video';
	/** A good example of a value, shown while a text is empty. */
	placeholder?: string;
	/**
	 * Whether the form shows it at top level; where absent, it does unless the field is optional and has no
	 * `requiredWhen`. True for what a person sets first, even if the document calls it optional.
	 */
	upFront?: boolean;
	/** What the form starts with; where absent, the document's default, or the first or lowest value. */
	start?: Value;
	/** The form shows it only under this condition; a value that is given otherwise is sent anyway. */
	showWhen?: RateCondition;
	/** Where it is sent; where absent, in the body of a POST or PUT, or in the query of a GET. */
	in?: 'path';
	default?: Value;
	options?: readonly Option[];
	min?: number;
	max?: number;
	step?: number;
	/** Bound of a text, in characters. */
	maxLength?: number;
	/** Bounds of a list, in entries. */
	minItems?: number;
	maxItems?: number;
	/** Required under this condition, whatever `presence` says. */
	requiredWhen?: Condition;
	/** Means something only under this condition; refused otherwise. */
	appliesWhen?: RateCondition;
	/** Hidden in the form and left out of messages. */
	secret?: true;
	/** Row of the open points whose setting has the name to send it under, where the document has none. */
	openName?: string;
	/** An empty text is sent like any other: it removes what the service has. */
	clearable?: true;
	/** What a person can pick it from in the form: the jobs of the history. */
	pickedFrom?: 'history';
}

/** A requirement that spans several fields. */
export type Rule =
	/** At least one of the fields is given. `ours`: the service would also accept a request without any. */
	| { kind: 'oneOf'; fields: readonly string[]; when?: Condition; ours?: true }
	/**
	 * At least one of the fields should be given: the document requires none, but you pay for the job anyway.
	 * `doubt` says so; no request is refused for it.
	 */
	| { kind: 'wanted'; fields: readonly string[]; when?: Condition; doubt: string }
	/** `field` is given wherever `given` is. */
	| { kind: 'with'; field: string; given: string }
	/** `later` should be greater than `earlier`: the document does not say so, and no request is refused for it. */
	| { kind: 'after'; later: string; earlier: string };

export interface Rate {
	when?: RateCondition;
	credits: number;
	/** Why another rate may apply instead. */
	doubt?: string;
}

/** An amount of credits that is added or taken off under a condition. */
export interface Adjustment {
	when: Condition;
	/** `null` where the document names the adjustment but not its amount. */
	credits: number | null;
	/** Applies only to prices of at least this many credits. */
	from?: number;
}

/** The price of a request, in credits, as data (sections "Endpoints" and "Music catalog"). */
export type Price =
	/** The document does not say. */
	| { shown: false }
	| {
			shown: true;
			/**
			 * One of these applies to a complete request; several, each with its doubt, where the document
			 * leaves open which one does.
			 */
			rates: readonly Rate[];
			/** The rate is for one unit of this numeric field (such as one second). */
			perUnitOf?: string;
			surcharges?: readonly Adjustment[];
			discounts?: readonly Adjustment[];
	  };

export type MediaType = 'image' | 'video' | 'audio' | 'text';

/** The documented answer to a creation: an envelope `{ success, data }` with these fields. */
export interface CreationResult {
	idField: string;
	creditsField: string;
	/** The other fields of `data`. */
	fields: readonly string[];
}

/** How a job's state is read. */
export interface StatusRoute {
	/** `{name}` stands for the identifier. */
	path: string;
	/** Whether the record is in the envelope `{ success, data }`; `undefined` where that is not shown. */
	enveloped?: boolean;
	/** The documented name of the identifier that this route takes. */
	idField: string;
	/** Documented field of the state, where there is one. */
	stateField?: string;
	/** Documented field of the result URL, by media type, where there is one. */
	urlFields: Readonly<Partial<Record<MediaType, string>>>;
	/** Jobs with this route are generations: the generation history lists them, too. */
	isInHistory?: true;
}

/** Where the status of a creation is read. */
type StatusSource =
	/** Documented. */
	| { route: StatusRoute }
	/**
	 * Left open: a path set in the credential, under this row of the open points. `only` where the
	 * general route of generations does not serve the job.
	 */
	| { openPoint: string; only?: true };

/** What an error status means for one operation, where that is more specific than its general meaning. */
export interface Refusal {
	/** What happened. */
	message: string;
	/** What to do about it. */
	description: string;
}

interface OperationBase {
	/** Groups operations in the node (n8n's "resource"). */
	resource: string;
	/** n8n's "operation", unique in its resource. */
	operation: string;
	/** As shown in the dropdown. */
	label: string;
	/** As shown in n8n's list of actions. */
	action: string;
	description: string;
	method: 'GET' | 'POST' | 'PUT';
	/**
	 * Relative to the base URL, empty where nothing is sent; `{name}` stands for the field of that name. If the
	 * document does not show the path, the row of the open points whose setting has it.
	 */
	path: string | { openPoint: string };
	fields: readonly Field[];
	/** Fields of the form only: what is chosen in them is not sent. */
	controls?: readonly Field[];
	/** Values that define the operation, such as the mode of an endpoint that has several. */
	fixed?: Readonly<Record<string, Value>>;
	rules?: readonly Rule[];
}

/** Starts a paid job. */
export interface CreateOperation extends OperationBase {
	kind: 'create';
	/** Absent for an operation that the document does not list. */
	mediaType?: MediaType;
	price: Price;
	/** Field that names the model, when there is a choice. */
	modelField?: string;
	/** Row of the open points whose setting names the field for the operation, if its path has no place for it. */
	operationIn?: string;
	/** Operations on whose result this one works (section "Music catalog"). */
	source?: { required: boolean; operations: readonly string[] };
	/** The item of its job names the job that it worked on, for the next operation in a chain. */
	passesSourceOn?: true;
	/** The answer's body, where the document shows it. */
	result?: CreationResult;
	status: StatusSource;
	/** Typical time to completion, in seconds, by condition, where the document says so. */
	typicalSeconds?: readonly { when?: Condition; from: number; to: number }[];
}

/** Where to read the state of the jobs that were started in one way. */
export interface JobRoute {
	/** Names the way; items have it as `startedWith`. */
	value: string;
	label: string;
	path: Operation['path'];
	route: Pick<StatusRoute, 'stateField' | 'urlFields' | 'isInHistory'>;
	/** What such jobs make. */
	mediaTypes: readonly MediaType[];
	/** Present where the path is that of a list, which has the job among its entries. */
	list?: JobList;
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
	/** Names of the query fields that page through the list, where it has any. */
	paging?: { limit: string; offset: string };
}

/** Reads or writes one record; free of charge. */
export interface RecordOperation extends OperationBase {
	kind: 'record';
	/** By HTTP status. */
	refusals?: Readonly<Record<number, Refusal>>;
	/** The fields of its answer, where the document shows them (section "Resources and their fields"). */
	answer?: RecordFields;
	/** The answer is not shown, so one without a body counts as a success. */
	mayBeEmpty?: boolean;
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
	description?: string;
}

/** Everything that one node offers. */
export interface Catalog {
	resources: readonly Resource[];
	operations: readonly Operation[];
}
