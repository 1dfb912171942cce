import { describeConditions, describeField } from '../../../nodes/shared/form/describe.ts';
import {
	isUpFront,
	pairsName,
	parameterPath,
	RETURN_ALL,
} from '../../../nodes/shared/parameters/names.ts';
import type { Field, Operation } from '../../../nodes/shared/spec/types.ts';
import { fieldsOf, isFixedRequired } from './example.mts';
import { table } from './markdown.mts';
import { isCreation } from './nodeTable.mts';

/** What one gives in a field. */
const TYPES: Readonly<Record<Field['type'], string>> = {
	text: 'text',
	textarea: 'text',
	toggle: 'true or false',
	select: 'choice',
	number: 'number',
	integer: 'whole number',
	upload: 'file',
	source: 'job ID',
	url: 'URL',
	urlList: 'URLs',
	fields: 'names and values',
};

/** The fields of an operation, as its parameters have them; none where it has no fields. */
export function fieldTable(operation: Operation): string[] {
	const { controls = [] } = operation;
	const rows = [...controls, ...fieldsOf(operation)].map((field) => rowOf(field, operation));
	return rows.length === 0
		? []
		: [table(['Parameter', 'In the form', 'Type', 'Needed', 'Values', 'Remarks'], rows)];
}

function rowOf(field: Field, operation: Operation): string[] {
	const creation = isCreation(operation) ? operation : undefined;
	const fixed = isFixedRequired(field, operation);
	const conditions = fixed ? [] : describeConditions(operation, field);
	return [
		`\`${nameIn(field, operation)}\``,
		field.label,
		TYPES[field.type],
		fixed ? 'required' : presenceOf(field, operation),
		valuesOf(field),
		[describeField(field, creation).replace(/\.$/, ''), ...conditions].join('. '),
	];
}

/** Where the parameters of the node have the value. */
function nameIn(field: Field, operation: Operation): string {
	if (operation.controls?.includes(field)) return field.name;
	if (field.type === 'fields') return pairsName(field);
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

function valuesOf({ options = [], openValues, default: byDefault }: Field): string {
	const values = options.map(({ value }) => `\`${value}\``).join(', ');
	return [
		openValues ? `${values} and others` : values,
		byDefault === undefined ? '' : `default \`${byDefault}\``,
	]
		.filter(Boolean)
		.join('; ');
}
