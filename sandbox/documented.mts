import type { Field as TableField, Operation } from '../nodes/shared/spec/operation.ts';
import {
	ACCOUNT_ENDPOINTS,
	IMAGE_CREATIONS,
	IMAGE_READS,
	MUSIC_OPERATIONS,
	VIDEO_CREATIONS,
	VIDEO_READS,
	type Condition,
	type Field,
	type Price,
	type Surcharge,
} from '../test/document.mts';

/**
 * The document's word on an operation of the tables: what its fields take and what it costs. The tables say
 * which operations there are, and what they are called.
 */

interface Row {
	fields: readonly Field[];
	prices: readonly Price[];
	surcharges?: readonly Surcharge[];
}

/** By method and path, setting of the path, or ID of a music operation. */
const ROWS = new Map<string, Row>([
	...[...IMAGE_CREATIONS, ...VIDEO_CREATIONS].map(
		(row) => [row.path ? `${row.method} ${row.path}` : `${row.pathSetting}`, row] as const,
	),
	...[...ACCOUNT_ENDPOINTS, ...IMAGE_READS, ...VIDEO_READS].map(
		({ method, path, body = [], query = [] }) =>
			[`${method} ${path}`, { fields: [...body, ...query], prices: [] }] as const,
	),
	...MUSIC_OPERATIONS.map((row) => [`music ${row.id}`, musicRow(row)] as const),
]);

function musicRow({ fields, credits, creditsBy }: (typeof MUSIC_OPERATIONS)[number]): Row {
	if (!creditsBy) return { fields, prices: [{ when: {}, credits }] };
	const prices = Object.entries(creditsBy.credits).map(([value, amount]) => ({
		when: { [creditsBy.field]: value },
		credits: amount,
	}));
	return { fields, prices };
}

/** The operation's row; none for one that is made up, or that the service does not have. */
export function rowOf({ kind, method, path, operation }: Operation): Row | undefined {
	if (!['create', 'list', 'record'].includes(kind)) return undefined;
	if (typeof path === 'string') return ROWS.get(`${method} ${path}`);
	const { openPoint } = path;
	return ROWS.get(openPoint === 'musicSubmitPath' ? `music ${operation}` : openPoint);
}

/** The operation with the fields, bounds, choices, defaults and requirements of the document. */
export function documented<T extends Operation>(operation: T): T {
	const row = rowOf(operation);
	if (!row) return operation;
	const rows = row.fields.filter(({ name }) => !(name in { ...operation.fixed }));
	const tables = new Map(operation.fields.map((field) => [field.name, field]));
	return {
		...operation,
		fields: [
			// What stands for fields that the document does not show.
			...operation.fields.filter(({ type, openName }) => type === 'fields' || openName),
			...rows.map((field) => fieldOf(field, tables.get(field.name))),
		],
		rules: rows.flatMap(({ name: field, requiredWith: given }) =>
			given === undefined ? [] : [{ kind: 'with' as const, field, given }],
		),
	};
}

const TYPES: Record<Field['type'], TableField['type']> = {
	text: 'text',
	number: 'number',
	toggle: 'toggle',
	choice: 'select',
	url: 'url',
	urls: 'urlList',
	file: 'upload',
	source: 'source',
};

function fieldOf(field: Field, table?: TableField): TableField {
	const { name, type, required, values, shown, isWhole, onlyFor, ...bounds } = field;
	const { usedOnlyWith, requiredWith, ...rest } = bounds;
	return {
		name,
		label: table?.label ?? name,
		description: table?.description,
		// The document tells apart texts of one line and of several; here, they are all alike.
		type: isWhole
			? 'integer'
			: type === 'text' && table
				? table.type
				: shown
					? 'text'
					: TYPES[type],
		presence: required === true ? 'required' : 'optional',
		...rest,
		...(values && {
			options: values.map(
				(value) => table?.options?.find((one) => one.value === value) ?? { value },
			),
		}),
		...(typeof required === 'object' && { requiredWhen: inLists(required) }),
		...(onlyFor && { appliesWhen: inLists(onlyFor) }),
	};
}

const inLists = (condition: Condition) =>
	Object.fromEntries(Object.entries(condition).map(([name, value]) => [name, [value].flat()]));
