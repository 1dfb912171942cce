import type { Body } from '../service/bodies';
import { COMPLETED_AT_FIELD, CREATED_AT_FIELD, ID_FIELDS, STATUS_FIELD } from '../spec/records';
import { JOB_STATES } from '../spec/states';

export interface Identifier {
	/** Name of the field it was found in. */
	field: string;
	value: string;
}

/** The identifier of a job in a record, by the policy for open points ("identifier"). */
export function identifierIn(record: Body): Identifier | undefined {
	return ID_FIELDS.map((field) => ({ field, value: record[field] }))
		.filter(({ value }) => isIdentifier(value))
		.map(({ field, value }) => ({ field, value: String(value) }))[0];
}

const isIdentifier = (value: unknown) =>
	(typeof value === 'string' && value !== '') || typeof value === 'number';

/** The state of a job in its record, by the policy for open points ("state"). */
export function stateIn(record: Body): string | undefined {
	const documented = record[STATUS_FIELD];
	if (typeof documented === 'string') return documented;
	const states: readonly unknown[] = JOB_STATES;
	return Object.values(record).find((value) => states.includes(value)) as string | undefined;
}

/** The first of the named fields that holds a value of the type. */
export function textIn(record: Body | undefined, names: readonly string[]): string | null {
	const found = names.map((name) => record?.[name]).find((value) => typeof value === 'string');
	return (found as string | undefined) ?? null;
}

export function numberIn(record: Body | undefined, names: readonly string[]): number | null {
	const found = names.map((name) => record?.[name]).find((value) => typeof value === 'number');
	return (found as number | undefined) ?? null;
}

/** How long a job took by its own account, ms; `undefined` where its record does not tell. */
export function durationIn(record: Body): number | undefined {
	const [from, to] = [CREATED_AT_FIELD, COMPLETED_AT_FIELD].map((field) =>
		Date.parse(textIn(record, [field]) ?? ''),
	);
	const ms = Number(to) - Number(from);
	return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}
