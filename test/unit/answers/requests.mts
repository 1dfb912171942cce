import { CATALOGS } from '../../../nodes/shared/spec/catalogs.ts';
import type { CreateOperation } from '../../../nodes/shared/spec/operation.ts';

/** Every creation of every node but *Other Operation*, whose fields a person names. */
export const CREATIONS: Array<{ name: string; operation: CreateOperation }> = CATALOGS.flatMap(
	({ operations }) =>
		operations.flatMap((operation) =>
			operation.kind === 'create' && operation.operation !== 'other'
				? [{ name: `${operation.resource}.${operation.operation}`, operation }]
				: [],
		),
);
