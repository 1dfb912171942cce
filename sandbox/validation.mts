import type { Values } from '../nodes/shared/spec/conditions.ts';
import type { Served, ServiceField } from './documented.mts';
import { ServiceError, type Details } from './serviceError.mts';
import { valueProblems } from './valueProblems.mts';
import { isGiven, meets, withDefaults } from './values.mts';

const MALFORMED = 'The request is malformed.';

/** @throws ServiceError 400 with a message for each field that breaks a rule */
export function validate(operation: Served, values: Values, more: Details = {}): void {
	const details = {
		...more,
		...valueProblems(operation, values),
		...brokenRequirements(operation, values),
	};
	if (Object.keys(details).length > 0) throw refusal(details);
}

const refusal = (details: Details) =>
	new ServiceError(400, 'Some fields are missing or not valid.', details);

/** @throws ServiceError 400 when the body is not a JSON object */
export function objectBody(body: unknown): Values {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) {
		throw new ServiceError(400, MALFORMED);
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
	const names = new Set(candidates.flatMap(({ fixed = {} }) => Object.keys(fixed)));
	const details = [...names].map((name) => [name, fixedProblem(candidates, name, values)]);
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

function fixedProblem(
	candidates: ReadonlyArray<Pick<Served, 'fixed'>>,
	name: string,
	values: Values,
): string {
	if (!isGiven(values[name])) return 'This field is required.';
	const allowed = candidates.flatMap(({ fixed }) => fixed?.[name] ?? []);
	return `Must be one of: ${[...new Set(allowed)].join(', ')}.`;
}

/**
 * Checks those rules of an operation that concern the whole request: what must and must not be there,
 * and what depends on other fields. Returns a message for each field that breaks one.
 */
function brokenRequirements(operation: Served, sent: Values): Details {
	const request = withDefaults(operation, sent);
	const problems = operation.fields.map((field) => fieldProblem(field, sent, request));
	return Object.assign({}, ...problems, freeProblem(operation, sent)) as Details;
}

function fieldProblem(field: ServiceField, sent: Values, request: Values): Details | undefined {
	const { name, required, requiredWith, onlyFor } = field;
	const isRequired = required === true || (required !== undefined && meets(required, request));
	if (isRequired && !isGiven(sent[name])) return { [name]: 'This field is required.' };
	if (requiredWith && isGiven(sent[requiredWith]) && !isGiven(sent[name])) {
		return { [name]: `This field is required with ${requiredWith}.` };
	}
	if (onlyFor && name in sent && !meets(onlyFor, request)) {
		return { [name]: 'This field does not apply to this request.' };
	}
	if (!isStep(sent[name], field)) return { [name]: `Must be in steps of ${field.step}.` };
	return undefined;
}

/** Whether a number is whole steps from the minimum: 0.29 is 29 steps of 0.01, despite binary rounding. */
function isStep(value: unknown, { min = 0, step }: ServiceField): boolean {
	if (typeof value !== 'number' || step === undefined) return true;
	const steps = (value - min) / step;
	return Math.abs(steps - Math.round(steps)) < 1e-6;
}

/** Of the fields that the document does not show there must be one, where the operation needs them. */
function freeProblem({ free, fields, fixed = {} }: Served, sent: Values): Details | undefined {
	if (free !== 'required') return undefined;
	const shown = new Set([...fields.map(({ name }) => name), ...Object.keys(fixed)]);
	const isAny = Object.keys(sent).some((name) => !shown.has(name) && isGiven(sent[name]));
	return isAny ? undefined : { payload: 'At least one more field is required.' };
}
