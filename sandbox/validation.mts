import type { Values } from '../nodes/shared/spec/conditions.ts';
import type { Operation } from '../nodes/shared/spec/types.ts';
import { bodySchema, type Schema } from './bodySchema.mts';
import { brokenRequirements } from './requirements.mts';
import { ServiceError, type Details } from './serviceError.mts';
import { isGiven } from './values.mts';

/** An error of the JSON-schema validator, as far as it is read here. */
interface SchemaError {
	keyword: string;
	/** `/field` or `/field/0`; empty for the request itself. */
	instancePath: string;
	message?: string;
	params: Record<string, unknown>;
}

/** Compiles a JSON schema. */
export type Compile = (schema: Schema) => {
	(value: unknown): unknown;
	errors?: readonly SchemaError[] | null;
};

const MALFORMED = 'The request is malformed.';

/**
 * @param more messages of other checks, which go before what is missing or of the wrong type
 * @throws ServiceError 400 with a message for each field that breaks a rule
 */
export function validate(
	operation: Operation,
	values: Values,
	compile: Compile,
	more: Details = {},
): void {
	const details = {
		...more,
		...schemaProblems(operation, values, compile),
		...brokenRequirements(operation, values),
	};
	if (Object.keys(details).length > 0) {
		throw new ServiceError(400, 'Some fields are missing or not valid.', details);
	}
}

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
	throw new ServiceError(
		400,
		'Some fields are missing or not valid.',
		Object.fromEntries(details) as Details,
	);
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

/** What has been compiled serves all sandboxes of the process: compiling takes most of a start. */
const validators = new WeakMap<Operation, ReturnType<Compile>>();

function schemaProblems(operation: Operation, values: Values, compile: Compile): Details {
	const check = validators.get(operation) ?? compile(bodySchema(operation));
	validators.set(operation, check);
	if (check(values) === true) return {};
	return Object.fromEntries((check.errors ?? []).map((error) => [fieldOf(error), inWords(error)]));
}

function fieldOf({ instancePath, params }: SchemaError): string {
	return instancePath.split('/')[1] ?? String(params.additionalProperty);
}

const WORDS: Record<string, (params: Record<string, unknown>) => string> = {
	enum: ({ allowedValues }) => `Must be one of: ${(allowedValues as unknown[]).join(', ')}.`,
	additionalProperties: () => 'Unknown field.',
	pattern: () => 'Must be a URL that starts with http:// or https://.',
};

function inWords({ keyword, params, message }: SchemaError): string {
	return WORDS[keyword]?.(params) ?? `This value ${message}.`;
}
