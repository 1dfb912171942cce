import type { CreateOperation } from '../../nodes/shared/spec/operation.ts';
import { MODEL_REMARKS, MUSIC_MODELS, MUSIC_OPERATIONS } from '../../test/document.mts';
import { documented, type Served, type ServiceField } from '../documented.mts';
import type { Body } from '../envelope.mts';
import { possibleCredits, pricesOf } from '../prices.mts';
import type { SandboxSettings } from '../settings.mts';
import { tableOperations } from './operations.mts';

/** Fields whose texts are in the language that is asked for. */
const LOCALIZED = ['label', 'help', 'description'];

/**
 * Section "Music catalog": what a catalog answer has in `data`.
 *
 * @param asked a language: `de`, `de-AT` and `DE` are German, anything else is English
 */
export function musicCatalog(settings: SandboxSettings, asked: unknown): Body {
	const models = MUSIC_MODELS.map((value) => ({
		value,
		label: value,
		help: MODEL_REMARKS[value],
	}));
	const operations = [
		...tableOperations(settings),
		...settings.musicOperations.map(documented),
	].map(tableEntry);
	const isGerman = /^de\b/i.test(String(asked).replace('_', '-'));
	return isGerman ? inGerman({ models, operations }) : { models, operations };
}

/** Texts are marked, not translated: enough to see that a language is heeded. */
function inGerman(catalog: Body): Body {
	const text = JSON.stringify(catalog, (name, value: unknown) =>
		LOCALIZED.includes(name) && value !== '' ? `[de] ${String(value)}` : value,
	);
	return JSON.parse(text) as Body;
}

/** Section "Music catalog": an operation as an entry of the catalog, in English. */
function tableEntry(operation: Served<CreateOperation>): Body {
	const { operation: id, label, description, fields } = operation;
	const byOption = creditsByOption(operation);
	const row = MUSIC_OPERATIONS.find((one) => one.id === id);
	const sources = row ? row.sources : operation.sources;
	return {
		id,
		label,
		description,
		source_required: sources !== undefined,
		source_operations: [...(sources ?? [])],
		credits: row?.credits ?? possibleCredits(operation, {})?.high ?? 0,
		// The document does not show its form. Made up: credits by field name and value.
		...(byOption && { credits_by_option: byOption }),
		// Where the document requires a source but shows no field for it, the tables add one.
		fields: fields.filter(({ isOpen }) => !isOpen).map(fieldEntry),
	};
}

/** The document's types of fields, in the words of a field descriptor. */
const TYPES: Partial<Record<ServiceField['type'], string>> = { choice: 'select', file: 'upload' };

function fieldEntry({ table, ...field }: ServiceField): Body {
	const { options = [], typeOptions = {} } = table?.property ?? {};
	const isArea = field.type === 'text' && typeOptions.rows !== undefined;
	return {
		name: field.name,
		label: table?.label ?? field.name,
		type: isArea ? 'textarea' : (TYPES[field.type] ?? field.type),
		required: field.required === true,
		options: options.flatMap((option) =>
			'value' in option
				? [
						{
							value: option.value,
							label: option.name,
							...(option.description !== undefined && { help: option.description }),
						},
					]
				: [],
		),
		min: field.min ?? null,
		max: field.max ?? null,
		step: field.step ?? null,
		max_length: field.maxLength ?? null,
		default: field.default ?? null,
		help: table?.property.description ?? '',
	};
}

/** `{ separation_type: { split_stem: 50 } }`, where the price depends on an option. */
function creditsByOption(operation: Served<CreateOperation>) {
	const byOption: Record<string, Record<string, number>> = {};
	for (const { when, credits } of pricesOf(operation).prices) {
		for (const [field, allowed] of Object.entries(when)) {
			const prices = (byOption[field] ??= {});
			for (const value of [allowed].flat()) prices[String(value)] = credits;
		}
	}
	return Object.keys(byOption).length > 0 ? byOption : undefined;
}
