import { z, type ZodTypeAny } from 'zod';

import type { Values } from '../nodes/shared/spec/values.ts';
import type { Served, ServiceField } from './documented.mts';
import { ServiceError, type Details } from './serviceError.mts';
import { isGiven, meets, withDefaults } from './values.mts';

const REQUIRED = 'This field is required.';

/** @throws ServiceError 400 with a message for each field that breaks a rule */
export function validate(operation: Served, values: Values, more: Details = {}): void {
	const { fields, fixed = {}, free } = operation;
	const names = new Set([...fields.map(({ name }) => name), ...Object.keys(fixed)]);
	const unknown = free ? [] : Object.keys(values).filter((name) => !names.has(name));
	const request = withDefaults(operation, values);
	const details: Details = {
		...more,
		...Object.fromEntries(unknown.map((name) => [name, 'Unknown field.'])),
		...Object.fromEntries(
			fields.flatMap((field) => {
				const problem = valueProblem(field, values) ?? requirement(field, values, request);
				return problem === undefined ? [] : [[field.name, problem]];
			}),
		),
		...(free === 'required' &&
			!Object.keys(values).some((name) => !names.has(name) && isGiven(values[name])) && {
				payload: 'At least one more field is required.',
			}),
	};
	if (Object.keys(details).length > 0) throw refusal(details);
}

const refusal = (details: Details) =>
	new ServiceError(400, 'Some fields are missing or not valid.', details);

/** @throws ServiceError 400 when the body is not a JSON object */
export function objectBody(body: unknown): Values {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) {
		throw new ServiceError(400, 'The request is malformed.');
	}
	return body as Values;
}

/**
 * Which of the operations that share a path is meant: the one whose fixed values are sent.
 *
 * @throws ServiceError 400 when there is none
 */
export function pickOperation<T extends Pick<Served, 'fixed'>>(
	candidates: readonly T[],
	values: Values,
): T {
	const picked = findOperation(candidates, values);
	if (picked) return picked;
	const names = candidates.flatMap(({ fixed = {} }) => Object.keys(fixed));
	const told = (name: string) =>
		`Must be one of: ${candidates.map(({ fixed }) => fixed?.[name]).join(', ')}.`;
	const details = names.map((name) => [name, isGiven(values[name]) ? told(name) : REQUIRED]);
	throw refusal(Object.fromEntries(details) as Details);
}

export function findOperation<T extends Pick<Served, 'fixed'>>(
	candidates: readonly T[],
	values: Values,
): T | undefined {
	return candidates.find(({ fixed = {} }) =>
		Object.entries(fixed).every(([name, value]) => values[name] === value),
	);
}

/** What must and must not be there, also for the sake of other fields. */
function requirement(
	{ name, required, requiredWith, onlyFor }: ServiceField,
	sent: Values,
	request: Values,
): string | undefined {
	const isRequired = required === true || (required !== undefined && meets(required, request));
	if (isRequired && !isGiven(sent[name])) return REQUIRED;
	if (requiredWith && isGiven(sent[requiredWith]) && !isGiven(sent[name])) {
		return `This field is required with ${requiredWith}.`;
	}
	const isStray = onlyFor && name in sent && !meets(onlyFor, request);
	return isStray ? 'This field does not apply to this request.' : undefined;
}

/** Type, value set and bounds of what is sent, strictly: nothing is converted. */
function valueProblem(field: ServiceField, sent: Values): string | undefined {
	if (!(field.name in sent)) return undefined;
	const { isMadeUp, table, type, name } = field;
	if (isMadeUp && type === 'text') return table!.read(sent[name]).broken;
	return SCHEMAS[type](field).safeParse(sent[name]).error?.issues[0]?.message;
}

const text = ({ maxLength = Infinity }: ServiceField) =>
	z.string().refine((value) => [...value].length <= maxLength, 'This value is too long.');

export const WEB_ADDRESS = z
	.string()
	.regex(/^https?:\/\/[^\s/]+\S*$/, 'Must be a URL that starts with http:// or https://.');

const SCHEMAS: Record<ServiceField['type'], (field: ServiceField) => ZodTypeAny> = {
	text,
	source: () => z.string(),
	// The settings say how files are sent, so `uploads.mts` checks them.
	file: () => z.unknown(),
	choice: (field) =>
		field.values
			? z.unknown().refine((value) => field.values!.includes(value as never), {
					message: `Must be one of: ${field.values.join(', ')}.`,
				})
			: text(field),
	toggle: () => z.boolean(),
	number: ({ isWhole, min = -Infinity, max = Infinity, step }) => {
		const number = (isWhole ? z.number().int() : z.number()).min(min).max(max);
		// 0.29 is 29 steps of 0.01, despite binary rounding.
		const isStep = (value: number) => {
			const steps = step === undefined ? 0 : (value - (min > -Infinity ? min : 0)) / step;
			return Math.abs(steps - Math.round(steps)) < 1e-6;
		};
		return number.refine(isStep, `Must be in steps of ${step}.`);
	},
	url: () => WEB_ADDRESS,
	urls: ({ minItems = 0, maxItems = Infinity }) => z.array(WEB_ADDRESS).min(minItems).max(maxItems),
};
