import { describeField } from '../../../nodes/shared/form/describe.ts';
import {
	ADDITIONAL_FIELDS,
	isUpFront,
	parameterPath,
	RETURN_ALL,
} from '../../../nodes/shared/parameters/names.ts';
import { inWords } from '../../../nodes/shared/spec/conditions.ts';
import type { Field, Operation } from '../../../nodes/shared/spec/operation.ts';
import { isCreation } from './nodeTable.mts';

/** The kind of value that a field takes. Texts need no remark, and the remark of a switch begins with *Whether*. */
const TYPES: Readonly<Record<Field['type'], string>> = {
	text: '',
	textarea: '',
	toggle: '',
	select: 'choice',
	number: 'number',
	integer: 'whole number',
	upload: 'file',
	source: 'job ID',
	url: 'URL',
	urlList: 'URLs',
	fields: 'JSON',
};

/** The prefix of parameters in the collection of rarely used fields. */
const IN_COLLECTION = `${ADDITIONAL_FIELDS}.`;

/** A field is listed once for all operations of a section if at least this many say the same of it. */
const MANY = 2;

/** What at least {@link MANY} operations say of a field. If they disagree about a name, the most common text counts. */
export function sharedFields(operations: readonly Operation[]): Set<string> {
	const counts = new Map<string, Map<string, number>>();
	for (const { name, text } of operations.flatMap(linesOf)) {
		const own = counts.get(name) ?? new Map<string, number>();
		counts.set(name, own.set(text, (own.get(text) ?? 0) + 1));
	}
	return new Set(
		[...counts.values()].flatMap((texts) => {
			const [[text, count] = ['', 0]] = [...texts].sort(([, some], [, more]) => more - some);
			return count < MANY ? [] : [text];
		}),
	);
}

/** The fields of an operation, by the names of its parameters. A shared field gets only its name. */
export function fieldList(operation: Operation, shared: ReadonlySet<string>): string[] {
	const lines = linesOf(operation);
	const own = lines.filter(({ text }) => !shared.has(text));
	const byPresence = new Map<string, string[]>();
	for (const { name, presence, text } of lines) {
		if (shared.has(text)) byPresence.set(presence, [...(byPresence.get(presence) ?? []), name]);
	}
	const others = [...byPresence].map(([presence, names]) => `${names.join(', ')} (${presence})`);
	return [
		...own.map(({ presence, text }) => `- ${text.replace(':', `, ${presence}:`)}`),
		...(others.length > 0 ? [`- As above: ${others.join('; ')}`] : []),
	];
}

function linesOf(operation: Operation) {
	const { controls = [], fields } = operation;
	return [...controls, ...fields].map((field) => lineOf(field, operation));
}

function lineOf(field: Field, operation: Operation) {
	const conditions = conditionsOf(field, operation);
	const presence = presenceOf(field, operation);
	const path = nameIn(field, operation);
	const isAdditional = presence === 'optional' && path.startsWith(IN_COLLECTION);
	const name = `\`${isAdditional ? path.slice(IN_COLLECTION.length) : path}\``;
	const remarks = [describeField(field).replace(/\.$/, ''), ...conditions].join('. ');
	const given = valuesOf(field) || TYPES[field.type];
	return {
		name,
		presence: isAdditional ? 'additional' : presence,
		/** Everything but whether the field is needed. */
		text: `${name}${labelOf(field)}: ${[given, remarks].filter(Boolean).join('. ')}`,
	};
}

/** When a field applies, in words: the form shows it only then. */
function conditionsOf(
	{ requiredWhen, appliesWhen, showWhen }: Field,
	{ fields, controls = [] }: Operation,
) {
	return [
		requiredWhen ? `Required when ${inWords(requiredWhen, fields)}` : '',
		appliesWhen ? `Only when ${inWords(appliesWhen, fields)}` : '',
		showWhen ? `Shown when ${inWords(showWhen, [...controls, ...fields])}` : '',
	].filter(Boolean);
}

/** The field's label in the form, unless it is just the name in words. */
function labelOf({ name, label }: Field): string {
	const words = name.replace(/_|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
	return words === label.toLowerCase() ? '' : ` _${label}_`;
}

/** The name or path of the field's value in the node's parameters. */
function nameIn(field: Field, operation: Operation): string {
	if (operation.controls?.includes(field)) return field.name;
	const isLimit = operation.kind === 'list' && operation.paging?.limit === field.name;
	return isLimit ? `${field.name}\` or \`${RETURN_ALL}` : parameterPath(field);
}

function presenceOf(field: Field, operation: Operation): string {
	const { presence, type, requiredWhen, appliesWhen } = field;
	if (requiredWhen || (presence === 'expected' && appliesWhen)) return 'at times';
	const isSent = isCreation(operation) && !operation.controls?.includes(field);
	const isSwitch = type === 'toggle' && isUpFront(field);
	if (isSent && (isSwitch || presence === 'expected')) return 'always sent';
	return presence === 'expected' ? 'has a default' : presence;
}

function valuesOf({ type, options = [], ...field }: Field): string {
	// A switch has in a saved node what the form begins with.
	const byDefault = (type === 'toggle' ? field.start : undefined) ?? field.default;
	const values = options.map(({ value }) => `\`${value}\``).join(', ');
	return [values, byDefault === undefined ? '' : `default \`${byDefault}\``]
		.filter(Boolean)
		.join('; ');
}
