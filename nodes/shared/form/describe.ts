import { capitalized } from '../spec/conditions';
import type { Field } from '../spec/types';

/** Text of a form field: its description, then a sentence with its bounds. */
export function describeField(field: Field): string {
	const bounds = [KINDS[field.type], ...describeBounds(field)];
	const sentences = [field.description, capitalized(bounds.filter(Boolean).join(', '))];
	return sentences.filter(Boolean).join('. ');
}

/** What to enter in a field, for types that need an explanation. */
const KINDS: Partial<Record<Field['type'], string>> = {
	url: 'A URL, or the name of a file (such as data)',
	urlList: 'URLs or names of files (such as data), one a line',
	upload: 'The name of a binary field, or a URL',
};

const describeBounds = ({ min, max, step, maxLength, minItems, maxItems }: Field) => [
	range(min, max, ''),
	step !== undefined && `in steps of ${step}`,
	range(minItems, maxItems, ' of them'),
	range(undefined, maxLength, ' characters'),
];

function range(min: number | undefined, max: number | undefined, unit: string): string {
	if (min !== undefined && max !== undefined) return `${min} to ${max}${unit}`;
	if (min !== undefined) return `at least ${min}${unit}`;
	return max === undefined ? '' : `at most ${max}${unit}`;
}
