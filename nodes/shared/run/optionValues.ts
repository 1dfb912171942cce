import { GUARDS, OPTIONS, SWITCHES } from '../parameters/options';
import { own } from '../spec/conditions';
import { InvalidValues } from './errors';

/** An option as the form calls it, without its unit. */
export function optionLabel(name: string): string {
	const label = own<{ property: { displayName: string } }>(OPTIONS, name)?.property.displayName;
	return `Options > ${(label ?? name).replace(/ \(.*\)$/, '')}`;
}

/**
 * What the collection `options` holds, without what an expression gives nothing for: as if the option
 * had not been added. A guard is `null` then, so that it can be refused.
 */
export const withoutNothing = (given: Readonly<Record<string, unknown>>) =>
	Object.fromEntries(
		Object.entries(given).map(([name, value]) => {
			const nothing = GUARDS.includes(name) ? null : undefined;
			return [name, isNothing(value) ? nothing : value];
		}),
	);

function isNothing(value: unknown): boolean {
	return value === undefined || value === null || (typeof value === 'string' && !value.trim());
}

/**
 * The value of a parameter, where that is a switch: `true` or `false`, `fallback` for nothing.
 *
 * @throws InvalidValues when a switch is neither
 */
export function switchValue(name: string, value: unknown, fallback: unknown): unknown {
	const toggle = own(SWITCHES, name);
	if (!toggle) return value;
	if (isNothing(value)) return fallback;
	const { success, data, error } = toggle.value.safeParse(value);
	if (success) return data;
	const why = `${error.issues[0]?.message}, but is ${JSON.stringify(value)}`;
	throw new InvalidValues([{ field: name, message: `${toggle.property.displayName} ${why}` }]);
}

/** Reads all switches, so that one that is neither on nor off is found before anything is sent. */
export function checkSwitches(read: (name: string, fallback: unknown) => unknown): void {
	for (const name of Object.keys(SWITCHES)) read(name, false);
}
