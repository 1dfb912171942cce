import { unnamedSource } from '../../nodes/shared/spec/music/fields.ts';
import { MUSIC_CREATION } from '../../nodes/shared/spec/music/operations.ts';
import type { CreateOperation, Field, Price } from '../../nodes/shared/spec/types.ts';
import type { FieldEntry, OperationEntry } from './entry.mts';

/** The operation that an entry describes. */
export function entryOperation(entry: OperationEntry): CreateOperation {
	const fields = entry.fields.map(fieldOf);
	const hasSource = fields.some(({ type }) => type === 'source');
	return {
		...MUSIC_CREATION,
		resource: 'music',
		operation: entry.id,
		label: entry.label,
		action: entry.label,
		description: entry.description,
		fields: entry.source_required && !hasSource ? [unnamedSource(), ...fields] : fields,
		mediaType: 'audio',
		price: priceOf(entry),
		source: { required: entry.source_required, operations: entry.source_operations },
	};
}

function fieldOf(entry: FieldEntry): Field {
	const { name, type, options } = entry;
	return {
		name,
		type,
		label: entry.label,
		presence: entry.required ? 'required' : 'optional',
		description: entry.help,
		...(type === 'select' && { options: options.map((option) => ({ value: option.value })) }),
		min: entry.min ?? undefined,
		max: entry.max ?? undefined,
		step: entry.step ?? undefined,
		maxLength: entry.max_length ?? undefined,
		default: entry.default ?? undefined,
	};
}

function priceOf({ credits, credits_by_option: byOption = {} }: OperationEntry): Price {
	const rates = Object.entries(byOption).flatMap(([field, prices]) =>
		Object.entries(prices).map(([option, price]) => ({
			when: { [field]: [option] },
			credits: price,
		})),
	);
	return { shown: true, rates: rates.length > 0 ? rates : [{ credits }] };
}
