import type { Values } from '../nodes/shared/spec/conditions.ts';
import type { Operation } from '../nodes/shared/spec/types.ts';
import { brokenRequirements } from './requirements.mts';
import { ServiceError, type Details } from './serviceError.mts';
import { valueProblems } from './valueProblems.mts';
import { isGiven } from './values.mts';

const MALFORMED = 'The request is malformed.';

/** @throws ServiceError 400 with a message for each field that breaks a rule */
export function validate(operation: Operation, values: Values, more: Details = {}): void {
	const details = {
		...more,
		...valueProblems(operation, values),
		...brokenRequirements(operation, values),
	};
	if (Object.keys(details).length > 0) throw refusal(details);
}

const refusal = (details: Details) =>
	new ServiceError(400, 'Some fields are missing or not valid.', details);

/** @throws ServiceError 400 when the body is no JSON object */
export function objectBody(body: unknown): Values {
	if (typeof body !== 'object' || body === null || Array.isArray(body)) {
		throw new ServiceError(400, MALFORMED);
	}
	return body as Values;
}

/**
 * The operation that is meant, of those that share a path: that whose fixed values are sent.
 *
 * @throws ServiceError 400 when there is none
 */
export function pickOperation<T extends Operation>(candidates: readonly T[], values: Values): T {
	const picked = findOperation(candidates, values);
	if (picked) return picked;
	const names = new Set(candidates.flatMap(({ fixed = {} }) => Object.keys(fixed)));
	const details = [...names].map((name) => [name, fixedProblem(candidates, name, values)]);
	throw refusal(Object.fromEntries(details) as Details);
}

export function findOperation<T extends Operation>(
	candidates: readonly T[],
	values: Values,
): T | undefined {
	return candidates.find(({ fixed = {} }) =>
		Object.entries(fixed).every(([name, value]) => values[name] === value),
	);
}

function fixedProblem(candidates: readonly Operation[], name: string, values: Values): string {
	if (!isGiven(values[name])) return 'This field is required.';
	const allowed = candidates.flatMap(({ fixed }) => fixed?.[name] ?? []);
	return `Must be one of: ${[...new Set(allowed)].join(', ')}.`;
}
