import { holds, withDefaults, type Values } from '../nodes/shared/spec/conditions.ts';
import type { Field, Operation, Rule } from '../nodes/shared/spec/operation.ts';
import { ServiceError, type Details } from './serviceError.mts';
import { valueProblems } from './valueProblems.mts';
import { freeField, isGiven, namedFields } from './values.mts';

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

/**
 * Checks those rules of an operation that concern the whole request: what must and must not be there,
 * and what depends on other fields. Returns a message for each field that breaks one.
 */
function brokenRequirements(operation: Operation, sent: Values): Details {
	const request = withDefaults(operation, sent);
	const fields = namedFields(operation).map((field) => fieldProblem(field, sent, request));
	const rules = (operation.rules ?? [])
		.filter(isDocumented)
		.map((rule) => ruleProblem(rule, sent, request));
	return Object.assign({}, ...fields, freeProblem(operation, sent, request), ...rules) as Details;
}

type DocumentedRule = Extract<Rule, { kind: 'oneOf' | 'with' }>;

/** Leaves out what only the package requires or recommends. */
const isDocumented = (rule: Rule): rule is DocumentedRule =>
	(rule.kind === 'oneOf' && !rule.ours) || rule.kind === 'with';

function fieldProblem(field: Field, sent: Values, request: Values): Details | undefined {
	const { name, presence, requiredWhen, appliesWhen } = field;
	const isRequired = presence === 'required' || (requiredWhen && holds(requiredWhen, request));
	if (isRequired && !isGiven(sent[name])) return { [name]: 'This field is required.' };
	if (appliesWhen && name in sent && !holds(appliesWhen, request)) {
		return { [name]: 'This field does not apply to this request.' };
	}
	if (!isStep(sent[name], field)) return { [name]: `Must be in steps of ${field.step}.` };
	return undefined;
}

/** Whether a number is whole steps from the minimum: 0.29 is 29 steps of 0.01, despite binary rounding. */
function isStep(value: unknown, { min = 0, step }: Field): boolean {
	if (typeof value !== 'number' || step === undefined) return true;
	const steps = (value - min) / step;
	return Math.abs(steps - Math.round(steps)) < 1e-6;
}

/**
 * Checks the fields that the document does not show: there must be none where they do not apply, and
 * at least one where the operation needs them.
 */
function freeProblem(operation: Operation, sent: Values, request: Values): Details | undefined {
	const free = freeField(operation);
	if (!free) return undefined;
	const named = namedFields(operation).map(({ name }) => name);
	const shown = new Set([...named, ...Object.keys(operation.fixed ?? {})]);
	const others = Object.keys(sent).filter((name) => !shown.has(name) && isGiven(sent[name]));
	if (free.appliesWhen && !holds(free.appliesWhen, request)) {
		return Object.fromEntries(others.map((name) => [name, 'Unknown field.']));
	}
	return free.presence !== 'required' || others.length > 0
		? undefined
		: { [free.name]: 'At least one more field is required.' };
}

function ruleProblem(rule: DocumentedRule, sent: Values, request: Values): Details | undefined {
	if (rule.kind === 'with') {
		if (!isGiven(sent[rule.given]) || isGiven(sent[rule.field])) return undefined;
		return { [rule.field]: `This field is required with ${rule.given}.` };
	}
	const { fields, when } = rule;
	if (!holds(when, request) || fields.some((name) => isGiven(sent[name]))) return undefined;
	const message = `One of these is required: ${fields.join(', ')}.`;
	return Object.fromEntries(fields.map((name) => [name, message]));
}
