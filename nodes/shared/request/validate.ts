import type { Advising } from '../service/retryAdvice';
import { shownAddress } from '../service/shownText';
import { saidBy } from '../spec/answers';
import {
	breaks,
	fieldNamed,
	fullNameOf,
	holds,
	inWords,
	isOwn,
	labelIn,
	listInWords,
	nameOf,
	own,
	type Values,
	withDefaults,
} from '../spec/conditions';
import { STARTED_WITH, startedWithOf } from '../spec/jobs';
import type { Field, Operation, Rule } from '../spec/types';
import { brokenRules, type BrokenRule, isFilled, isJson, NOT_GIVEN } from './fieldRules';

/** One broken rule of one field. */
export interface Problem {
	field: string;
	/** The whole sentence: label, name, rule and the value that breaks it. */
	message: string;
}

/** Values that cannot be sent, found before anything was sent. */
export class InvalidValues extends Error implements Advising {
	readonly retry = 'correctFirst';

	/** @param description what to do, and what the mistake means for the money */
	constructor(
		problems: readonly Problem[],
		readonly description = 'Correct the value. Nothing was sent for this item, nothing was charged.',
	) {
		super(problems.map(({ message }) => message).join('; '));
		this.name = 'InvalidValues';
	}
}

/** The rules of the operation's spec table that the values break; none when they can be sent. */
export function validate(operation: Operation, values: Values): Problem[] {
	const { fields, fixed = {}, rules = [] } = operation;
	const byName = new Map(fields.map((field) => [field.name, field]));
	const unknown = Object.keys(values).filter((name) => !byName.has(name) && !isOwn(fixed, name));
	const ofFields = [
		...unknown.map((field) => ({ field, rule: 'is not a field of this operation' })),
		...fields.flatMap((field) =>
			brokenRules(field, own(values, field.name)).map((broken) => ({
				field: field.name,
				...broken,
			})),
		),
	];
	const broken = new Set(ofFields.map(({ field }) => field));
	const ofSeveral = [
		...brokenConditions(operation, values),
		...rules.flatMap((rule) => brokenRule(operation, rule, values)),
		...overriding(operation, values),
	].filter(({ field }) => !broken.has(field));
	return [...ofFields, ...ofSeveral].map((each) => ({
		field: each.field,
		message: sentence(byName.get(each.field), each),
	}));
}

interface Broken extends BrokenRule {
	field: string;
}

function sentence(field: Field | undefined, { field: name, rule, value }: Broken): string {
	if (!field) return `${name} ${rule}`;
	if (rule === NOT_GIVEN) return `${nameOf(field)} ${rule}`;
	const isAddress = HAS_ADDRESSES.includes(field.type);
	return `${fullNameOf(field)} ${rule}${field.secret ? '' : shown(rule, value, isAddress)}`;
}

const SHOWN_CHARACTERS = 60;

/** Types of fields that hold addresses, which may contain a password or a signature. */
const HAS_ADDRESSES: readonly Field['type'][] = ['url', 'urlList', 'upload'];

/** The value that breaks the rule, if it can be shown. */
function shown(rule: string, value: unknown, isAddress: boolean): string {
	if (value === undefined || !rule.startsWith('must ') || !isJson(value)) return '';
	if (Array.isArray(value) && rule.startsWith('must have')) return `, but has ${value.length}`;
	const shownText = (text: string) => (isAddress ? shownAddress(text) : text);
	const length = typeof value === 'string' ? [...value].length : 0;
	if (length > SHOWN_CHARACTERS) {
		return `, but has ${length} characters: "${startOf(shownText(String(value)))}…"`;
	}
	const text = JSON.stringify(value, (_, part: unknown) =>
		typeof part === 'string' ? shownText(part) : part,
	);
	return `, but is ${startOf(text)}${startOf(text) === text ? '' : '…'}`;
}

/** Cuts between characters, never inside one. */
const startOf = (text: string) =>
	[...text.slice(0, 2 * SHOWN_CHARACTERS)].slice(0, SHOWN_CHARACTERS).join('');

function brokenConditions(operation: Operation, sent: Values): Broken[] {
	const request = withDefaults(operation, sent);
	const { fields, fixed = {} } = operation;
	return fields.flatMap((field): Broken[] => {
		const { name, requiredWhen, appliesWhen } = field;
		const isGiven = isFilled(own(sent, name));
		if (isGiven && appliesWhen && breaks(appliesWhen, request)) {
			return [{ field: name, rule: `can be used only when ${inWords(appliesWhen, fields)}` }];
		}
		if (!isGiven && requiredWhen && holds(requiredWhen, request)) {
			const isAlways = Object.keys(requiredWhen).every((condition) => isOwn(fixed, condition));
			const rule = isAlways ? NOT_GIVEN : `is required when ${inWords(requiredWhen, fields)}`;
			return [{ field: name, rule }];
		}
		return [];
	});
}

/** Free fields that would override fields with checks of their own. */
function overriding({ fields, fixed = {} }: Operation, sent: Values): Broken[] {
	const isFree = ({ type }: Field) => type === 'fields';
	const checked = [
		...fields.filter((field) => !isFree(field)).map(({ name }) => name),
		...Object.keys(fixed),
	];
	return fields.filter(isFree).flatMap((free): Broken[] => {
		const names = Object.keys(Object(sent[free.name]));
		const taken = checked.filter((name) => names.includes(name));
		if (taken.length === 0) return [];
		const rule = `must not set ${listInWords(taken, 'and')}: this operation has a field for it`;
		return [{ field: free.name, rule }];
	});
}

/** Whether a rule that wants one of several fields finds none of them. */
export function hasNone(
	operation: Operation,
	{ fields, when }: Extract<Rule, { kind: 'oneOf' | 'wanted' }>,
	sent: Values,
): boolean {
	const applies = holds(when, withDefaults(operation, sent));
	return applies && !fields.some((name) => hasField(operation, name, sent));
}

function hasField(operation: Operation, name: string, sent: Values): boolean {
	const value = own(sent, name);
	const isCleared = fieldNamed(operation, name)?.clearable && value !== undefined;
	return isCleared || isFilled(value);
}

function brokenRule(operation: Operation, rule: Rule, sent: Values): Broken[] {
	const has = (name: string) => hasField(operation, name, sent);
	const label = (name: string) => labelIn(operation, name);
	if (rule.kind === 'oneOf' && hasNone(operation, rule, sent)) {
		const [field = '', ...others] = rule.fields;
		const unless = `is required, unless you give ${listInWords(others.map(label))}`;
		return [{ field, rule: others.length === 0 ? NOT_GIVEN : unless }];
	}
	if (rule.kind === 'with' && has(rule.given) && !has(rule.field)) {
		return [{ field: rule.field, rule: `is required together with ${label(rule.given)}` }];
	}
	return [];
}

/**
 * The problem with an earlier job whose operation is not allowed as a source (section "Music catalog",
 * "Allowed source operations"). Known only when that job is the incoming item itself.
 *
 * @param incoming the JSON of the incoming item
 */
export function wrongSource(operation: Operation, values: Values, incoming: Values): Problem[] {
	if (operation.kind !== 'create') return [];
	const { source } = operation;
	const made = saidBy(incoming, 'operation');
	const isIncoming = values.source !== undefined && values.source === incoming.jobId;
	if (!source || !isIncoming || typeof made !== 'string') return [];
	// Image and video operations share names with music operations, so only `startedWith` tells them apart.
	const startedWith = saidBy(incoming, STARTED_WITH);
	const isMusic = startedWith === undefined || startedWith === startedWithOf(operation);
	if (isMusic && source.operations.includes(made)) return [];
	const what = isMusic ? made : `${made} (${String(startedWith)})`;
	const message = `Source Job ID (source) must be a job of ${listInWords(source.operations)}, but is one of ${what}`;
	return [{ field: 'source', message }];
}

/**
 * A sentence for each rule by which the request looks like a mistake: it says too little, or a section
 * ends before it begins. The document forbids neither, so the request is sent unchanged, and charged.
 */
export function doubts(operation: Operation, values: Values): string[] {
	const named = (name: string) => {
		const field = fieldNamed(operation, name);
		return field ? fullNameOf(field) : name;
	};
	return (operation.rules ?? []).flatMap((rule) => {
		if (rule.kind === 'wanted' && hasNone(operation, rule, values)) {
			return [`${rule.doubt}. At least one item has none.`];
		}
		if (rule.kind === 'after' && !isAfter(values[rule.later], values[rule.earlier])) {
			return [
				`${named(rule.later)} should be greater than ${named(rule.earlier)}. In at least one item it is not.`,
			];
		}
		return [];
	});
}

/** Only numbers are compared; anything else passes. */
const isAfter = (later: unknown, earlier: unknown) =>
	typeof later !== 'number' || typeof earlier !== 'number' || later > earlier;
