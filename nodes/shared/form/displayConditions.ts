import type { DisplayCondition, IDisplayOptions, INodeProperties } from 'n8n-workflow';

import type { RateCondition, Value } from '../spec/types';

/**
 * Conditions of n8n's forms. A parameter that is an expression meets every condition under `show`;
 * what must not show for expressions has its conditions under `hide`, which are taken at their word.
 */

/** Any value but this one. */
export const OTHER_THAN = (value: Value): DisplayCondition => ({ _cnd: { not: value } });

/** The parameter is an expression. Not by `startsWith`, which n8n 2.0 cannot ask of what is not there. */
export const EXPRESSION: DisplayCondition = { _cnd: { regex: '^=' } };

/** There is a value. */
export const FILLED_IN: DisplayCondition = { _cnd: { exists: true } };

/** A condition of the tables as n8n's form has it, its fields under `root`. */
export function conditionsOf(
	condition: RateCondition,
	root = '',
): NonNullable<IDisplayOptions['show']> {
	return Object.fromEntries(
		Object.entries(condition).map(([name, allowed]) => [
			`${root}${name}`,
			'not' in allowed ? allowed.not.map(OTHER_THAN) : [...allowed],
		]),
	);
}

/**
 * None of these texts of all that there are, nor an expression; in few words where the texts stand
 * together in the alphabet.
 */
export function otherThanThese(texts: readonly string[], all: readonly string[]) {
	const sorted = [...texts].sort();
	const [first = '', last = first] = [sorted[0], sorted[sorted.length - 1]];
	if (first === last) return [OTHER_THAN(first)];
	const between = all.filter((text) => text > first && text < last && !texts.includes(text));
	return [{ _cnd: { lt: first } }, { _cnd: { gt: last } }, ...between];
}

type Conditions = NonNullable<IDisplayOptions['show']>;

/** Before its other conditions: n8n looks no further where one of them is an expression. */
export function showFirst(property: INodeProperties, show: Conditions): INodeProperties {
	const { displayOptions } = property;
	return {
		...property,
		displayOptions: { ...displayOptions, show: { ...show, ...displayOptions?.show } },
	};
}

export function showWhen(property: INodeProperties, show: Conditions): INodeProperties {
	const { displayOptions } = property;
	return {
		...property,
		displayOptions: { ...displayOptions, show: { ...displayOptions?.show, ...show } },
	};
}

export function hideWhen(property: INodeProperties, hide: Conditions): INodeProperties {
	const { displayOptions } = property;
	return {
		...property,
		displayOptions: { ...displayOptions, hide: { ...displayOptions?.hide, ...hide } },
	};
}
