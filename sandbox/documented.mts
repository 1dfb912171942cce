import { type Field as TableField, isPayload } from '../nodes/shared/spec/field.ts';
import type { Operation } from '../nodes/shared/spec/operation.ts';
import {
	ACCOUNT_ENDPOINTS,
	IMAGE_CREATIONS,
	IMAGE_READS,
	MUSIC_OPERATIONS,
	VIDEO_CREATIONS,
	VIDEO_READS,
	type Field,
	type Price,
	type Surcharge,
} from '../test/document.mts';

/**
 * The document's word on an operation of the tables: what its fields take and what it costs. The tables say
 * which operations there are, and what they are called.
 */

/** A field as the service knows it: by the document, or by the table of an operation that is made up. */
export interface ServiceField extends Field {
	/** What the form calls it. */
	table?: TableField;
	/** The document has no name for it: the settings do. */
	isOpen?: boolean;
	/** The document does not have it. */
	isMadeUp?: boolean;
}

/** An operation as the service knows it. */
export type Served<T extends Operation = Operation> = T extends Operation
	? Omit<T, 'fields'> & {
			fields: readonly ServiceField[];
			/** It takes fields that the document does not show, and needs one of them if this is `required`. */
			free?: 'required' | 'optional';
		}
	: never;

interface Row {
	fields: readonly Field[];
	prices: readonly Price[];
	surcharges?: readonly Surcharge[];
}

/** By method and path, setting of the path, or ID of a music operation. */
const ROWS = new Map<string, Row>([
	...[...IMAGE_CREATIONS, ...VIDEO_CREATIONS].map(
		(row) => [row.path ? `POST ${row.path}` : `${row.pathSetting}`, row] as const,
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
export function rowOf(one: Pick<Operation, 'kind' | 'method' | 'path' | 'operation'>) {
	const { kind, method, path, operation } = one;
	if (!['create', 'list', 'record'].includes(kind)) return undefined;
	if (typeof path === 'string') return ROWS.get(`${method} ${path}`);
	const { openPoint } = path;
	return ROWS.get(openPoint === 'musicSubmitPath' ? `music ${operation}` : openPoint);
}

/** The operation with the fields, bounds, choices, defaults and requirements of the document. */
export function documented<T extends Operation>(operation: T): Served<T> {
	const { fixed = {}, fields: tables } = operation;
	const row = rowOf(operation);
	const sent = tables.filter((field) => field.sentAs !== 'path' && !isPayload(field));
	const open = sent.filter(({ sentAs }) => sentAs !== undefined);
	const shown = row?.fields.filter(({ name }) => !(name in fixed));
	const payload = tables.find(isPayload);
	const served = {
		...operation,
		fields: [
			...open.map((table) => ({ ...fieldOf(table), isOpen: true })),
			...(shown?.map((field) => ({
				...field,
				table: tables.find(({ name }) => name === field.name),
			})) ?? sent.filter((field) => !open.includes(field)).map(fieldOf)),
		],
		...(payload && { free: payload.place === 'required' ? 'required' : 'optional' }),
	};
	return served as unknown as Served<T>;
}

/** A field that only a table has, which says what its values are. */
function fieldOf(table: TableField): ServiceField {
	const { name, place, when, byDefault, file } = table;
	const condition = when as Exclude<Field['required'], true>;
	return {
		name,
		table,
		isMadeUp: true,
		type: name === 'source' ? 'source' : file?.sent === 'upload' ? 'file' : 'text',
		...(place === 'required' && { required: condition ?? (true as const) }),
		...(place !== 'required' && condition && { onlyFor: condition }),
		...(byDefault !== undefined && { default: byDefault }),
	};
}
