import type { ZodIssue } from 'zod/v3';

import type { Advising } from '../service/retryAdvice';
import { shownAddress } from '../service/shownText';
import { saidBy } from '../spec/answers';
import {
	breaks,
	fieldNamed,
	fullNameOf,
	inWords,
	listInWords,
	nameOf,
	own,
	type Values,
	withDefaults,
} from '../spec/conditions';
import { STARTED_WITH, startedWithOf } from '../spec/jobs';
import type { Field, Operation, Value } from '../spec/types';
import { hasNone, NOT_GIVEN, schemaOf, unsendableRule } from './schema';

/** One broken rule of one field. */
export interface Problem {
	field: string;
	/** The whole sentence: label, name, rule and the value that breaks it. */
	message: string;
}

/** Values that cannot be sent, found before anything was sent. */
export class InvalidValues extends Error implements Advising {
	readonly retry = 'correctFirst';

	readonly heading = 'operation-and-values';

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
	// Copied without a prototype, on which zod would find `toString`.
	const bare = Object.assign(Object.create(null) as object, values);
	const result = schemaOf(operation).safeParse(bare);
	if (result.success) return [];
	const fields = new Map(operation.fields.map((field) => [field.name, field]));
	return result.error.issues.flatMap((issue) => toProblems(issue, fields, values));
}

type Fields = ReadonlyMap<string, Field>;

function toProblems(issue: ZodIssue, fields: Fields, values: Values): Problem[] {
	const names = issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0])];
	return names.map((name) => ({ field: name, message: sentence(name, issue, fields, values) }));
}

function sentence(name: string, issue: ZodIssue, fields: Fields, values: Values): string {
	const field = fields.get(name);
	if (field && issue.message === NOT_GIVEN) return `${nameOf(field)} ${NOT_GIVEN}`;
	const subject = field === undefined ? name : fullNameOf(field);
	if (field?.secret) return `${subject} ${issue.message}`;
	const value = [name, ...issue.path.slice(1)].reduce<unknown>(
		(at, key) => own(Object(at) as Values, String(key)),
		values,
	);
	const isAddress = field !== undefined && HAS_ADDRESSES.includes(field.type);
	return `${subject} ${issue.message}${shown(issue.message, value, isAddress)}`;
}

const SHOWN_CHARACTERS = 60;

/** Types of fields that hold addresses, which may contain a password or a signature. */
const HAS_ADDRESSES: readonly Field['type'][] = ['url', 'urlList', 'upload'];

function shown(rule: string, value: unknown, isAddress: boolean): string {
	if (value === undefined || value === null || !SAYS_WHAT.test(rule)) return '';
	if (unsendableRule(value) !== undefined) return '';
	const shownText = (text: string) => (isAddress ? shownAddress(text) : text);
	const length = typeof value === 'string' ? [...value].length : 0;
	if (length > SHOWN_CHARACTERS) {
		return `, but has ${length} characters: "${startOf(shownText(String(value)))}…"`;
	}
	if (Array.isArray(value) && rule.startsWith('must have')) return `, but has ${value.length}`;
	const text = JSON.stringify(value, (_, part: unknown) =>
		typeof part === 'string' ? shownText(part) : part,
	);
	return `, but is ${startOf(text)}${startOf(text) === text ? '' : '…'}`;
}

/** Rules after which the value is shown; the others say themselves what is wrong with it. */
const SAYS_WHAT = /^(?:must|can|is) /;

/** Cuts between characters, never inside one. */
const startOf = (text: string) =>
	[...text.slice(0, 2 * SHOWN_CHARACTERS)].slice(0, SHOWN_CHARACTERS).join('');

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

/**
 * A sentence for each field that the service will ignore, according to its document. The request is
 * sent with the field: it does no harm, and the service may have learned to use it.
 */
export function ignoredFields(operation: Operation, values: Values): string[] {
	const request = withDefaults(operation, values);
	return operation.fields.flatMap((field) => {
		const { name, usedWhen } = field;
		if (!usedWhen || values[name] === undefined || !breaks(usedWhen, request)) return [];
		const { fields } = operation;
		const found = Object.keys(usedWhen).map((other) => [other, [request[other] as Value]]);
		return [
			`${fullNameOf(field)} is used only when ${inWords(usedWhen, fields)}. Here ${inWords(Object.fromEntries(found), fields)}: expect the service to ignore it.`,
		];
	});
}
