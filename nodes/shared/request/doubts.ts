import {
	breaks,
	fieldNamed,
	fullNameOf,
	inWords,
	type Values,
	withDefaults,
} from '../spec/conditions';
import type { Operation, Value } from '../spec/types';
import { hasNone } from './schema';

/**
 * A sentence for each rule that makes the request doubtful: it says too little, or ends before it begins.
 * The document forbids neither, so it is sent as it is, and charged.
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

/** What is no number is no case for this. */
const isAfter = (later: unknown, earlier: unknown) =>
	typeof later !== 'number' || typeof earlier !== 'number' || later > earlier;

/**
 * A sentence for each field that the service will ignore, as its document says. That is no reason
 * to refuse the request: what is ignored does no harm, and a service that has learned to use it is
 * given it.
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
