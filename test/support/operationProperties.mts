import type { INodeProperties } from 'n8n-workflow';

import { showFirst } from '../../nodes/shared/form/displayConditions.ts';
import { operationForm } from '../../nodes/shared/form/operationProperties.ts';
import type { Operation } from '../../nodes/shared/spec/operation.ts';

/** The form of one operation alone, each property under the condition that it is chosen. */
export function operationProperties(operation: Operation): INodeProperties[] {
	const chosen = { resource: [operation.resource], operation: [operation.operation] };
	return operationForm(operation).properties.map((property) => showFirst(property, chosen));
}
