import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { Value, When } from '../spec/values';
import { type Field, nameOf } from '../spec/field';
import { GET_JOB, JOB_RESOURCE, RECOVER_JOBS } from '../spec/jobs';
import type { CreateOperation, Operation } from '../spec/operation';
import { priceInWords, priceLines, rowFields } from '../spec/price';
import { ADDITIONAL_FIELDS, OPTIONS_COLLECTION, WAIT_FOR_COMPLETION } from './names';
import { DOWNLOAD, OPTIONS, WAIT } from './options';

/** Met in the form of a node that is an agent's tool. */
const IN_TOOLS = { '@tool': [true] };

type Conditions = NonNullable<IDisplayOptions['show']>;

/** All form properties of one operation, without the condition that it is chosen. */
export function operationProperties(operation: Operation): INodeProperties[] {
	const { controls = [], fields } = operation;
	const top = [...controls, ...fields.filter(({ place }) => place !== 'more')];
	const added = fields.filter(({ place }) => place === 'more');
	return [
		...top.map((field) => propertyOf(field)),
		...(operation.kind === 'create' ? priceNotices(operation) : []),
		...waitingProperties(operation),
		...(added.length > 0 ? [collection('Additional Fields', ADDITIONAL_FIELDS, added)] : []),
		...(['create', 'status', 'recover'].includes(operation.kind) ? [OPTIONS_PROPERTY] : []),
	];
}

/**
 * What the form has for a field.
 *
 * @param root comes before the names of the fields that its condition is about: `/` from inside a collection
 */
export function propertyOf(field: Field, root = ''): INodeProperties {
	const { name, label, place, when, property } = field;
	return {
		displayName: label,
		name,
		...property,
		...(place === 'required' && { required: true }),
		...(when && { displayOptions: { show: conditionsOf(when, root) } }),
	};
}

/** A condition of the tables, as n8n's forms have it. */
const conditionsOf = (when: When, root = ''): Conditions =>
	Object.fromEntries(
		Object.entries(when).map(([name, allowed]) => [`${root}${name}`, [...allowed]]),
	);

/**
 * The line of the panel that says what a job costs: one for each row of the price, and one for each field that decides
 * which row it is, while that is an expression that the editor cannot resolve.
 */
function priceNotices(operation: CreateOperation): INodeProperties[] {
	const deciding = rowFields(operation);
	const open = deciding.map((field, index) => {
		const before = deciding.slice(0, index).map((one) => [one.name, valuesOf(one)]);
		const text = `This job costs ${priceInWords(operation)}, depending on ${nameOf(field)}.`;
		const hide = { [field.name]: valuesOf(field) };
		return hiddenWhen(notice(text, Object.fromEntries(before) as Conditions), hide);
	});
	return [
		...priceLines(operation).map(({ when, text }) => notice(text, conditionsOf(when))),
		...open,
	];
}

const notice = (displayName: string, show: Conditions): INodeProperties => ({
	displayName,
	name: 'price',
	type: 'notice',
	default: '',
	...(Object.keys(show).length > 0 && { displayOptions: { show } }),
});

/** What a dropdown or a switch can hold. */
const valuesOf = ({ property: { type, options = [] } }: Field): Value[] =>
	type === 'boolean'
		? [false, true]
		: options.flatMap((option) => ('value' in option ? [option.value as Value] : []));

/** A collection; its fields are in the order of their labels, as in n8n's own. */
function collection(
	displayName: string,
	name: string,
	fields: readonly Field[],
	hidden: Readonly<Record<string, Conditions>> = {},
): INodeProperties {
	const options = fields.map((field) => hiddenWhen(propertyOf(field, '/'), hidden[field.name]));
	const byLabel = [...options].sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
	return {
		displayName,
		name,
		type: 'collection',
		placeholder: name === ADDITIONAL_FIELDS ? 'Add Field' : 'Add option',
		default: {},
		options: byLabel,
	};
}

/** Adds a condition under which the property is hidden: unlike `show`, it is not met by an expression. */
function hiddenWhen(property: INodeProperties, hide: Conditions | undefined): INodeProperties {
	if (!hide) return property;
	return { ...property, displayOptions: { ...property.displayOptions, hide } };
}

/**
 * Where a creation does not wait for its job. Operations that read jobs have no such switch, but their properties get
 * the same condition, so that the form has each property once.
 */
const UNWAITED: Conditions = { [`/${WAIT_FOR_COMPLETION}`]: [false] };

/**
 * The properties at top level about waiting for jobs and about their results; none for an operation that
 * neither starts nor reads jobs.
 */
function waitingProperties(operation: Operation): INodeProperties[] {
	const { kind } = operation;
	const makesImage = kind === 'create' && operation.mediaType === 'image';
	const download = { ...propertyOf(DOWNLOAD), default: makesImage };
	// No file reaches the model of an agent.
	if (kind === 'status') return [hiddenWhen(download, IN_TOOLS)];
	if (kind !== 'recover' && kind !== 'create') return [];
	const wait = propertyOf(WAIT);
	return [
		kind === 'recover' ? { ...wait, description: RECOVERY_WAITS } : wait,
		hiddenWhen(download, { ...IN_TOOLS, ...UNWAITED }),
	];
}

/** *Wait for Completion*, worded for jobs that are already paid for. */
const RECOVERY_WAITS =
	'Whether to wait for the jobs and output their media URLs. When off, they are listed as n8n has stored them.';

const READING: Conditions = { '/resource': [JOB_RESOURCE.value] };
const RECOVERING: Conditions = { '/operation': [RECOVER_JOBS.operation] };

/** When an option is not shown: one collection for all operations that start or read jobs keeps the form small. */
const HIDDEN_OPTIONS: Readonly<Record<string, Conditions>> = {
	continueExecution: READING,
	estimateOnly: READING,
	maxConcurrentJobs: READING,
	maxCredits: READING,
	outputByStatus: RECOVERING,
	resultField: UNWAITED,
	simplify: RECOVERING,
	timeout: { ...UNWAITED, '/operation': [GET_JOB.operation] },
	waitMode: { ...UNWAITED, ...READING },
};

const OPTIONS_PROPERTY = collection('Options', OPTIONS_COLLECTION, OPTIONS, HIDDEN_OPTIONS);

/** Options for what is made of a job that is read. */
const OF_RESULTS = ['binaryPropertyName', 'resultField', 'simplify'];

/** The options of a trigger: what it does with a finished job. */
export const triggerOptions = (more: Field): INodeProperties =>
	collection('Options', OPTIONS_COLLECTION, [
		more,
		...OPTIONS.filter(({ name }) => OF_RESULTS.includes(name)),
	]);
