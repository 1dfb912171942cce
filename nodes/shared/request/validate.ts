import type { ZodIssue } from 'zod';

import type { Operation } from '../spec/types';
import type { Values } from '../spec/conditions';
import { schemaOf } from './schema';

/** One broken rule of one field. */
export interface Problem {
	field: string;
	/** The whole sentence: label, name, rule and the value that breaks it. */
	message: string;
}

/** The rules of the operation's spec table that the values break; none when they can be sent. */
export function validate(operation: Operation, values: Values): Problem[] {
	const result = schemaOf(operation).safeParse(values);
	return result.success
		? []
		: result.error.issues.flatMap((issue) => toProblems(issue, operation, values));
}

function toProblems(issue: ZodIssue, operation: Operation, values: Values): Problem[] {
	const names = issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0])];
	return names.map((name) => ({ field: name, message: sentence(name, issue, operation, values) }));
}

function sentence(name: string, issue: ZodIssue, operation: Operation, values: Values): string {
	const field = operation.fields.find((candidate) => candidate.name === name);
	const subject = field === undefined ? name : `${field.label} (${name})`;
	if (field?.secret) return `${subject} ${issue.message}`;
	const value = issue.path.length > 1 ? valueAt(values, issue.path) : values[name];
	return `${subject} ${issue.message}${shown(value)}`;
}

function valueAt(values: Values, path: readonly (string | number)[]): unknown {
	return path.reduce<unknown>(
		(at, key) => (at as Record<string, unknown> | undefined)?.[key],
		values,
	);
}

const SHOWN_CHARACTERS = 60;

function shown(value: unknown): string {
	if (value === undefined) return '';
	if (typeof value === 'string' && value.length > SHOWN_CHARACTERS) {
		return `, but has ${value.length} characters: "${value.slice(0, SHOWN_CHARACTERS)}…"`;
	}
	const text = JSON.stringify(value) ?? String(value);
	return `, but is ${text.slice(0, SHOWN_CHARACTERS)}`;
}
