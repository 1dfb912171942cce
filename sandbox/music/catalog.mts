import { MUSIC_MODELS } from '../../nodes/shared/spec/music/fields.ts';
import type { Body } from '../envelope.mts';
import type { SandboxSettings } from '../settings.mts';
import type { FieldEntry, OperationEntry } from './entry.mts';
import { inAllLanguages, textIn, type Language } from './language.mts';
import { tableOperations } from './operations.mts';
import { tableEntry } from './tableEntry.mts';

/** Section "Music catalog": what a catalog answer has in `data`. */
export function musicCatalog(settings: SandboxSettings, language: Language): Body {
	const entries = [...tableOperations(settings).map(tableEntry), ...settings.musicOperations];
	return {
		models: MUSIC_MODELS.map(({ value, label, help = '' }) => ({
			value,
			label: textIn(language, label ?? inAllLanguages(String(value))),
			help: textIn(language, help),
		})),
		operations: entries.map((entry) => operationIn(language, entry)),
	};
}

function operationIn(language: Language, entry: OperationEntry): Body {
	return {
		...entry,
		label: textIn(language, entry.label),
		description: textIn(language, entry.description),
		fields: entry.fields.map((field) => fieldIn(language, field)),
	};
}

function fieldIn(language: Language, field: FieldEntry): Body {
	return {
		...field,
		label: textIn(language, field.label),
		help: textIn(language, field.help),
		options: field.options.map(({ value, label, help }) => ({
			value,
			label: textIn(language, label),
			...(help !== undefined && { help: textIn(language, help) }),
		})),
	};
}
