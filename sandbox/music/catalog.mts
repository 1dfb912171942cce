import type { CreateOperation, Field } from '../../nodes/shared/spec/operation.ts';
import { MODEL_REMARKS, MUSIC_MODELS, MUSIC_OPERATIONS } from '../../test/document.mts';
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
	const operations = [...tableOperations(settings), ...settings.musicOperations].map(tableEntry);
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
function tableEntry(operation: CreateOperation): Body {
	const { operation: id, label, description, source, fields } = operation;
	const byOption = creditsByOption(operation);
	const row = MUSIC_OPERATIONS.find((one) => one.id === id);
	const sources = row ? row.sources : source?.operations;
	return {
		id,
		label,
		description,
		source_required: row ? sources !== undefined : (source?.required ?? false),
		source_operations: [...(sources ?? [])],
		credits: row?.credits ?? possibleCredits(operation, {})?.high ?? 0,
		// The document does not show its form. Made up: credits by field name and value.
		...(byOption && { credits_by_option: byOption }),
		fields: fields.filter((field) => !isAdded(field)).map(fieldEntry),
	};
}

/** Where the document requires a source but shows no field for it, the tables add one. */
function isAdded({ openName }: Field): boolean {
	return openName !== undefined;
}

function fieldEntry(field: Field): Body {
	return {
		name: field.name,
		label: field.label,
		type: field.type,
		required: field.presence === 'required',
		options: (field.options ?? []).map(({ value, label = String(value), help }) => ({
			value,
			label,
			...(help !== undefined && { help }),
		})),
		min: field.min ?? null,
		max: field.max ?? null,
		step: field.step ?? null,
		max_length: field.maxLength ?? null,
		default: field.default ?? null,
		help: field.description ?? '',
	};
}

/** `{ separation_type: { split_stem: 50 } }`, where the price depends on an option. */
function creditsByOption(operation: CreateOperation) {
	const byOption: Record<string, Record<string, number>> = {};
	for (const { when, credits } of pricesOf(operation).prices) {
		for (const [field, allowed] of Object.entries(when)) {
			const prices = (byOption[field] ??= {});
			for (const value of [allowed].flat()) prices[String(value)] = credits;
		}
	}
	return Object.keys(byOption).length > 0 ? byOption : undefined;
}
