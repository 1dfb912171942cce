import type { Field } from '../spec/types';

/** Name of the collection that holds what a person sets rarely. */
export const ADDITIONAL_FIELDS = 'additionalFields';

/** Whether the form shows the field at top level; the others are in `additionalFields`. */
export function isUpFront({ upFront, presence, requiredWhen }: Field): boolean {
	return upFront ?? (presence !== 'optional' || requiredWhen !== undefined);
}

/** Where the form has the value of a field. */
export const parameterPath = (field: Field) =>
	isUpFront(field) ? field.name : `${ADDITIONAL_FIELDS}.${field.name}`;
