import { MODELS_FIELD, OPERATIONS_FIELD } from '../spec/music/catalog';
import { MUSIC_MODELS } from '../spec/music/fields';
import { priceOf } from '../spec/price';
import type { CreateOperation, Field } from '../spec/types';

/** The built-in tables in the form of a catalog answer's `data` (section "Music catalog"). */
export function catalogEntries(operations: readonly CreateOperation[]) {
	return {
		[MODELS_FIELD]: MUSIC_MODELS.map(({ value, label, help }) => ({
			value,
			label: label ?? value,
			help,
		})),
		[OPERATIONS_FIELD]: operations.map((operation) => ({
			id: operation.operation,
			label: operation.label,
			description: operation.description,
			source_required: operation.source?.required ?? false,
			source_operations: operation.source?.operations ?? [],
			credits: priceOf(operation, {}).credits,
			...creditsByOption(operation),
			// The document has no field for the earlier job that most operations work on; we do.
			fields: operation.fields.filter(({ openName }) => openName === undefined).map(fieldEntry),
		})),
	};
}

/** Credits by field and value, where they depend on one field. */
function creditsByOption({ price }: CreateOperation) {
	const rates = price.shown
		? price.rates.flatMap(({ when, credits }) =>
				Object.entries(when ?? {}).flatMap(([field, allowed]) =>
					'not' in allowed ? [] : allowed.map((value) => ({ field, value, credits })),
				),
			)
		: [];
	const [first] = rates;
	const credits = Object.fromEntries(rates.map(({ value, credits }) => [value, credits]));
	return first && { credits_by_option: { [first.field]: credits } };
}

function fieldEntry(field: Field) {
	const { name, label, type, presence, options = [], min, max, step, maxLength } = field;
	return {
		name,
		label,
		type,
		required: presence === 'required',
		options: options.map((option) => ({ label: String(option.value), ...option })),
		min: min ?? null,
		max: max ?? null,
		step: step ?? null,
		max_length: maxLength ?? null,
		default: field.default ?? null,
		help: field.description ?? '',
	};
}
