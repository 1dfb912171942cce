import { OTHER_OPERATION } from '../../nodes/shared/spec/music/operations.ts';
import type { CreateOperation, Operation } from '../../nodes/shared/spec/operation.ts';
import { documented, type Served } from '../documented.mts';
import type { SandboxSettings } from '../settings.mts';

/** Row of the open points: where music operations are submitted. */
const SUBMIT_PATH = 'musicSubmitPath';

export function isMusic({ kind, path }: Pick<Operation, 'kind' | 'path'>): boolean {
	return kind === 'create' && typeof path !== 'string' && path.openPoint === SUBMIT_PATH;
}

/**
 * A music operation with the field names of its requests. The document does not show which field names the
 * operation, where the path does not, or the earlier job: the settings say.
 */
export function inOpenNames(
	operation: Served,
	path: string,
	{ operationField, sourceField }: SandboxSettings['shapes']['music'],
): Served {
	if (!isMusic(operation)) return operation;
	const fields = operation.fields.map((field) =>
		field.isOpen ? { ...field, name: sourceField } : field,
	);
	return path.includes('{operation}')
		? { ...operation, fields }
		: { ...operation, fields, fixed: { [operationField]: operation.operation } };
}

/** The music operations in the spec tables. */
export function tableOperations({ catalogs }: SandboxSettings): Array<Served<CreateOperation>> {
	return catalogs
		.flatMap(({ operations }) => operations)
		.filter(
			(operation): operation is CreateOperation =>
				isMusic(operation) && operation !== OTHER_OPERATION,
		)
		.map(documented);
}
