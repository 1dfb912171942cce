import { OTHER_OPERATION } from '../../nodes/shared/spec/music.ts';
import type { CreateOperation } from '../../nodes/shared/spec/operation.ts';
import { GEN_SET, MODEL_REMARKS, MUSIC_MODELS, MUSIC_OPERATIONS } from '../../test/document.mts';
import { documented, type Served, type ServiceField } from '../documented.mts';
import type { SandboxSettings } from '../settings.mts';
import { isMusic, REMIX } from './operations.mts';

type Body = Record<string, unknown>;

/** Fields whose texts are in the language that is asked for. */
const LOCALIZED = ['label', 'help', 'description'];

/**
 * Section "Music catalog": what a catalog answer has in `data`. Texts in another language are marked, not translated.
 *
 * @param isGerman in German rather than English
 */
export function musicCatalog({ catalogs }: SandboxSettings, isGerman: boolean): Body {
	const operations = [...catalogs.flatMap((catalog) => catalog.operations), REMIX].filter(
		(one): one is CreateOperation => isMusic(one) && one !== OTHER_OPERATION,
	);
	const catalog = {
		models: MUSIC_MODELS.map((value) => ({ value, label: value, help: MODEL_REMARKS[value] })),
		operations: operations.map(documented).map(operationEntry),
	};
	if (!isGerman) return catalog;
	const text = JSON.stringify(catalog, (name, value: unknown) =>
		LOCALIZED.includes(name) && value !== '' ? `[de] ${String(value)}` : value,
	);
	return JSON.parse(text) as Body;
}

function operationEntry(operation: Served<CreateOperation>): Body {
	const { operation: id, label, description, fields } = operation;
	const row = MUSIC_OPERATIONS.find((one) => one.id === id);
	const sources = row ? (row.sources ?? []) : GEN_SET;
	return {
		id,
		label,
		description,
		source_required: sources.length > 0,
		source_operations: sources,
		credits: row?.credits ?? 0,
		// The document does not show its form.
		...(row?.creditsBy && {
			credits_by_option: { [row.creditsBy.field]: row.creditsBy.credits },
		}),
		// Where the document requires a source but shows no field for it, the tables add one.
		fields: fields.filter(({ isOpen }) => !isOpen).map(fieldEntry),
	};
}

/** The document's types of fields, in the words of a field descriptor. */
const TYPES: Partial<Record<ServiceField['type'], string>> = { choice: 'select', file: 'upload' };

function fieldEntry({ table, values, ...field }: ServiceField): Body {
	return {
		name: field.name,
		label: table?.label ?? field.name,
		type: TYPES[field.type] ?? field.type,
		required: field.required === true,
		options: values?.map((value) => ({ value, label: String(value) })) ?? [],
		min: field.min ?? null,
		max: field.max ?? null,
		step: field.step ?? null,
		max_length: field.maxLength ?? null,
		default: field.default ?? null,
		help: table?.property.description ?? '',
	};
}
