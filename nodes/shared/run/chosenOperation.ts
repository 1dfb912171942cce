import type { IExecuteFunctions } from 'n8n-workflow';

import { InvalidValues } from '../request/validate';
import type { Catalog, Operation } from '../spec/types';
import { parameterReader } from './readOptions';

/**
 * The operation that the user chose; the same for all items.
 *
 * @throws InvalidValues
 */
export function chosenOperation(context: IExecuteFunctions, catalog: Catalog): Operation {
	const read = parameterReader(context, 0);
	const [resource, name] = [read('resource', ''), read('operation', '')];
	const operation = catalog.operations.find(
		(candidate) => candidate.resource === resource && candidate.operation === name,
	);
	if (operation) return operation;
	throw noOperation(catalog, { resource, operation: name });
}

const NOTHING_SENT = 'Nothing was sent, nothing was charged.';

/**
 * The error for a resource or an operation that the node does not have. n8n does not evaluate
 * expressions in these two fields (`noDataExpression`); it hands them over as the text that they are. Nor
 * could it: which other fields there are, and which of them are required, hangs on these two.
 */
function noOperation(
	{ resources, operations }: Catalog,
	given: { resource: unknown; operation: unknown },
): InvalidValues {
	const resource = resources.find(({ value }) => value === given.resource);
	const [field, label, choices] = resource
		? ([
				'operation',
				'Operation',
				operations.filter((one) => one.resource === resource.value),
			] as const)
		: (['resource', 'Resource', resources] as const);
	const value = given[field];
	const possible = choices
		.map((choice) => {
			const name = 'operation' in choice ? choice.operation : choice.value;
			return `${choice.label} (${name})`;
		})
		.join(', ');
	const place = resource ? `of ${resource.label}` : 'of this node';
	const message = isExpression(value)
		? `${label} is the expression ${value}, and n8n does not evaluate expressions in this field`
		: isEmpty(value)
			? `${label} is empty`
			: `${JSON.stringify(value)} is no ${field} ${place}`;
	const advice = isExpression(value)
		? `Choose one in the list. Where items need different ones, divide them with a Switch node and give each branch a MediaGen node of its own.`
		: 'Choose one in the list.';
	return new InvalidValues(
		[{ field, message }],
		`${advice} There are: ${possible}. ${NOTHING_SENT}`,
	);
}

function isExpression(value: unknown): value is string {
	return typeof value === 'string' && (value.includes('{{') || value.startsWith('='));
}

function isEmpty(value: unknown): boolean {
	return value === undefined || value === null || value === '';
}
