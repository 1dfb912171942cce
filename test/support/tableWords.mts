import type { Field } from '../../nodes/shared/spec/operation.ts';

/**
 * Fields in the shorthand that tests use for them, by name: type, `required`, option values,
 * `<=` and the max_length, min-max, step, `=` and the default (`number required 0-1 step 0.01`).
 */
export function inTableWords(fields: readonly Field[]): Record<string, string> {
	return Object.fromEntries(fields.map((field) => [field.name, words(field)]));
}

function words({ type, presence, options, maxLength, min, max, step, ...field }: Field): string {
	const parts = [
		type,
		presence === 'optional' ? '' : presence,
		options?.map(({ value }) => value).join('|') ?? '',
		maxLength === undefined ? '' : `<=${maxLength}`,
		min === undefined && max === undefined ? '' : `${min ?? ''}-${max ?? ''}`,
		step === undefined ? '' : `step ${step}`,
		field.default === undefined ? '' : `=${field.default}`,
	];
	return parts.filter(Boolean).join(' ');
}
