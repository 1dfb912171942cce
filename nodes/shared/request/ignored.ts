import { breaks, inWords, nameOf, withDefaults, type Values } from '../spec/conditions';
import type { Operation, Value } from '../spec/types';

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
			`${nameOf(field)} (${name}) is used only when ${inWords(usedWhen, fields)}. Here ${inWords(Object.fromEntries(found), fields)}: expect the service to ignore it.`,
		];
	});
}
