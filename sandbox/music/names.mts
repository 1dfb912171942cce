import type { Operation } from '../../nodes/shared/spec/types.ts';
import type { SandboxSettings } from '../settings.mts';
import { isMusic } from './operations.mts';

/**
 * A music operation with the names that its requests have. How they name the operation, where its path
 * does not, and the earlier job is not shown: the settings say.
 */
export function inOpenNames(
	operation: Operation,
	path: string,
	{ operationField, sourceField }: SandboxSettings['shapes']['music'],
): Operation {
	if (!isMusic(operation)) return operation;
	const fields = operation.fields.map((field) =>
		field.openName === undefined ? field : { ...field, name: sourceField },
	);
	return path.includes('{operation}')
		? { ...operation, fields }
		: { ...operation, fields, fixed: { [operationField]: operation.operation } };
}
