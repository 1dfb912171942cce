import type { Catalog, CreateOperation } from '../../nodes/shared/spec/operation.ts';
import { operationsOf } from '../../nodes/shared/spec/video/family.ts';
import { VID_Z } from './madeUpFamily.mts';

/** The made-up family for tests that need no node around it. */
export const MADE_UP_CATALOG: Catalog = {
	resources: [VID_Z.resource],
	operations: operationsOf(VID_Z),
};

/** Its operation that has every kind of field. */
export const MADE_UP_OPERATION = MADE_UP_CATALOG.operations.find(
	({ operation }) => operation === 'textToVideo',
) as CreateOperation;
