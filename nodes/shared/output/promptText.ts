import { PROMPT_FIELD } from '../spec/answers';
import { own, type Values } from '../spec/conditions';
import type { Operation } from '../spec/types';

/**
 * What a person has asked for, in words: the prompt, or the text that stands for it, such as the style of a song.
 * `undefined` where there is none.
 */
export function promptOf(
	{ fields }: Pick<Operation, 'fields'>,
	values: Values,
): string | undefined {
	const texts = fields.filter(({ type }) => type === 'textarea').map(({ name }) => name);
	const pairs = fields.filter(({ type }) => type === 'fields').map(({ name }) => own(values, name));
	return [
		own(values, PROMPT_FIELD),
		...pairs.map((pair) => own(Object(pair) as Values, PROMPT_FIELD)),
		...texts.map((name) => own(values, name)),
	].find((value): value is string => typeof value === 'string' && value.trim() !== '');
}
