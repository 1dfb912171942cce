import { holds, withDefaults, type Values } from '../nodes/shared/spec/conditions.ts';
import type { Field, Operation, Rule } from '../nodes/shared/spec/types.ts';
import type { Details } from './serviceError.mts';
import { freeField, isGiven, namedFields } from './values.mts';

/**
 * What must and must not be there, and what depends on other fields: the part of an operation's
 * rules that is about the whole request. Returns a message for each field that breaks one.
 */
export function brokenRequirements(operation: Operation, sent: Values): Details {
	const request = withDefaults(operation, sent);
	const fields = namedFields(operation).map((field) => fieldProblem(field, sent, request));
	const rules = (operation.rules ?? [])
		.filter(isDocumented)
		.map((rule) => ruleProblem(rule, sent, request));
	return Object.assign({}, ...fields, freeProblem(operation, sent, request), ...rules) as Details;
}

type DocumentedRule = Extract<Rule, { kind: 'oneOf' | 'with' }>;

/** The package asks for more than the document, and would like more. */
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

/** Whether a number is whole steps away from the minimum; 0.29 is 29 steps of 0.01, whatever binary fractions say. */
function isStep(value: unknown, { min = 0, step }: Field): boolean {
	if (typeof value !== 'number' || step === undefined) return true;
	const steps = (value - min) / step;
	return Math.abs(steps - Math.round(steps)) < 1e-6;
}

/**
 * Fields that are not shown: none where they do not apply, at least one where the operation cannot
 * do without.
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
