import { ADDITIONAL_FIELDS } from '../../../nodes/shared/form/names.ts';
import type { When } from '../../../nodes/shared/spec/conditions.ts';
import type { Field } from '../../../nodes/shared/spec/field.ts';
import type { Operation } from '../../../nodes/shared/spec/operation.ts';
import { inWords } from '../../../nodes/shared/spec/price.ts';
import { isCreation } from './nodeTable.mts';

/** The kind of value that a field takes. Texts need no remark, and the remark of a switch begins with *Whether*. */
function typeOf({ file, property: { type, typeOptions = {} } }: Field): string {
	if (file) return file.sent === 'upload' ? 'file' : typeOptions.rows ? 'URLs' : 'URL';
	if (type === 'number') return typeOptions.numberPrecision === 0 ? 'whole number' : 'number';
	return { json: 'JSON', options: 'choice' }[type as string] ?? '';
}

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
	const path = nameIn(field);
	const isAdditional = path.startsWith(IN_COLLECTION);
	const name = `\`${isAdditional ? path.slice(IN_COLLECTION.length) : path}\``;
	const { property, when } = field;
	const condition = when ? `Only ${conditionIn(when, operation)}` : '';
	const remarks = [property.description?.replace(/\.$/, ''), condition].filter(Boolean).join('. ');
	const given = valuesOf(field) || typeOf(field);
	return {
		name,
		presence: isAdditional ? 'additional' : presenceOf(field, operation),
		/** Everything but whether the field is needed. */
		text: `${name}${labelOf(field)}: ${[given, remarks].filter(Boolean).join('. ')}`,
	};
}

/** When a field applies, in words: the form shows it only then. */
function conditionIn(when: When, { fields, controls = [] }: Operation): string {
	const parts = Object.entries(when).map(([name, allowed]) => {
		const field = [...controls, ...fields].find((one) => one.name === name)!;
		if (allowed[0] === false) return `without ${field.label}`;
		if (allowed[0] === true) return `with ${field.label}`;
		const values = allowed.map((value) => inWords({ [name]: [value] }, [field]));
		return `with ${field.label} ${values.join(' or ')}`;
	});
	return parts.join(' and ');
}

/** The field's label in the form, unless it is just the name in words. */
function labelOf({ name, label }: Field): string {
	const words = name.replace(/_|(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
	return words === label.toLowerCase() ? '' : ` _${label}_`;
}

/** The name or path of the field's value in the node's parameters. */
function nameIn(field: Field): string {
	return field.place === 'more' ? `${IN_COLLECTION}${field.name}` : field.name;
}

function presenceOf(field: Field, operation: Operation): string {
	const { place, when } = field;
	if (place === 'required') return when ? 'at times' : 'required';
	if (place === 'optional') return 'optional';
	const isSent = isCreation(operation) && !operation.controls?.includes(field);
	return isSent ? 'always sent' : 'has a default';
}

function valuesOf({ byDefault, property: { type, options = [], default: start } }: Field): string {
	// A switch has in a saved node what the form begins with.
	const first = type === 'boolean' && byDefault !== undefined ? start : byDefault;
	const values = options.flatMap((option) => ('value' in option ? [`\`${option.value}\``] : []));
	return [values.join(', '), first === undefined ? '' : `default \`${String(first)}\``]
		.filter(Boolean)
		.join('; ');
}
