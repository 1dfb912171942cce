import type { INodeProperties } from 'n8n-workflow';

import {
	createOptions,
	DOWNLOAD_FILE,
	FOLLOW_OPTIONS,
	STATUS_OPTIONS,
	WAIT_FOR_COMPLETION,
} from '../form/waiting';
import { InvalidValues } from './errors';

/** The options of all operations, by name. */
const OPTIONS = new Map(
	[createOptions(true), FOLLOW_OPTIONS, STATUS_OPTIONS]
		.flatMap(({ options = [] }) => options as INodeProperties[])
		.map((property) => [property.name, property]),
);

/** An option as the form calls it, without its unit. */
export function optionLabel(name: string): string {
	const label = OPTIONS.get(name)?.displayName ?? name;
	return `Options > ${label.replace(/ \(.*\)$/, '')}`;
}

/**
 * What the collection `options` holds, by the types of its form: an expression often gives a text. One
 * that gives nothing is `undefined`, as if the option had not been added.
 */
export function optionValues(given: Readonly<Record<string, unknown>>): Record<string, unknown> {
	return Object.fromEntries(
		Object.entries(given).map(([name, value]) => [
			name,
			isNothing(value) ? undefined : typed(OPTIONS.get(name)?.type, value),
		]),
	);
}

function isNothing(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}

function typed(type: INodeProperties['type'] | undefined, value: unknown): unknown {
	if (type === 'boolean') return booleanIn(value);
	// Else `true` would be 1, and a list of one number that number.
	if (type === 'number') return ['number', 'string'].includes(typeof value) ? value : NaN;
	if (type === 'string') return typeof value === 'number' ? String(value) : value;
	return value;
}

/** The texts `true` and `false` as what they name; anything else as it is. */
function booleanIn(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	const text = value.trim().toLowerCase();
	return text === 'true' || (text === 'false' ? false : value);
}

/** Switches beside the options, by name, with the labels that the form has for them. */
const SWITCHES: Readonly<Record<string, string>> = {
	[WAIT_FOR_COMPLETION.name]: WAIT_FOR_COMPLETION.displayName,
	[DOWNLOAD_FILE.name]: DOWNLOAD_FILE.displayName,
	returnAll: 'Return All',
};

/**
 * The value of a parameter, where that is a switch: `true` or `false`, `fallback` for nothing.
 *
 * @throws InvalidValues when a switch is neither
 */
export function switchValue(name: string, value: unknown, fallback: unknown): unknown {
	const label = SWITCHES[name];
	if (label === undefined) return value;
	if (isNothing(value)) return fallback;
	const meant = booleanIn(value);
	if (typeof meant === 'boolean') return meant;
	const message = `${label} must be true or false, but is ${JSON.stringify(value)}`;
	throw new InvalidValues([{ field: name, message }]);
}

/** Reads all switches, so that one that is neither on nor off is found before anything is sent. */
export function checkSwitches(read: (name: string, fallback: unknown) => unknown): void {
	for (const name of Object.keys(SWITCHES)) read(name, false);
}
