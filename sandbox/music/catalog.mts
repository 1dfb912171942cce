import { MUSIC_MODELS } from '../../nodes/shared/spec/music/fields.ts';
import type { Body } from '../envelope.mts';
import type { SandboxSettings } from '../settings.mts';
import { tableOperations } from './operations.mts';
import { tableEntry } from './tableEntry.mts';

/** What is a text in the language that is asked for. */
const LOCALIZED = ['label', 'help', 'description'];

/**
 * Section "Music catalog": what a catalog answer has in `data`.
 *
 * @param asked a language: `de`, `de-AT` and `DE` are German, anything else is English
 */
export function musicCatalog(settings: SandboxSettings, asked: unknown): Body {
	const models = MUSIC_MODELS.map(({ value, label = String(value), help = '' }) => ({
		value,
		label,
		help,
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
