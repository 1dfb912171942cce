import {
	ACCOUNT_CATALOG,
	CATALOGS,
	IMAGE_CATALOG,
	MUSIC_CATALOG,
	VIDEO_CATALOG,
} from '../../nodes/shared/spec/catalogs.ts';
import type { Catalog, CreateOperation, Operation } from '../../nodes/shared/spec/operation.ts';
import type { ItemKind } from './product.mts';

const KINDS = new Map<Catalog, ItemKind>([
	[IMAGE_CATALOG, 'image'],
	[VIDEO_CATALOG, 'video'],
	[MUSIC_CATALOG, 'music'],
	[ACCOUNT_CATALOG, 'account'],
]);

/** The node whose operations these are. */
export const kindOf = (catalog: Catalog): ItemKind => KINDS.get(catalog)!;

/** The operations of a node. */
export const operationsOf = (kind: ItemKind): readonly Operation[] =>
	CATALOGS.filter((catalog) => kindOf(catalog) === kind).flatMap(({ operations }) => operations);

/** The operation with this `resource.operation`. */
export function operationNamed(name: string): Operation {
	const found = CATALOGS.flatMap(({ operations }) => operations).find(
		({ resource, operation }) => `${resource}.${operation}` === name,
	);
	if (!found) throw new Error(`No operation ${name}`);
	return found;
}

export function creationNamed(name: string): CreateOperation {
	const found = operationNamed(name);
	if (found.kind !== 'create') throw new Error(`${name} creates nothing`);
	return found;
}
