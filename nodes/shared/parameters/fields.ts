import type { Field } from '../spec/types';
import { ADDITIONAL_FIELDS } from './names';

/** Where the parameters of a node have what is filled in for a field of the service. */

/** Whether the form shows the field at top level; the others are in `additionalFields`. */
export function isUpFront({ upFront, presence, requiredWhen }: Field): boolean {
	return upFront ?? (presence !== 'optional' || requiredWhen !== undefined);
}

/** Where the form has the value of a field. */
export const parameterPath = (field: Field) =>
	isUpFront(field) ? field.name : `${ADDITIONAL_FIELDS}.${field.name}`;

/** Value of the dropdown entry that opens a text field for a value that is not listed. */
export const OTHER = '__other__';

/** Name of that text field. */
export const otherName = (field: Field) => `${field.name}Other`;

/** How the user gives fields whose names the document does not show. */
export const PAIRS = 'pairs';
export const JSON_MODE = 'json';

export const modeName = (field: Field) => `${field.name}Mode`;
export const pairsName = (field: Field) => `${field.name}Pairs`;
