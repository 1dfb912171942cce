import type { Text } from './entry.mts';

/** Some texts of the catalog, by the English ones: enough to see that a language is heeded. */
const GERMAN: Readonly<Record<string, string>> = {
	'Newest; supports a custom duration': 'Neuestes; unterstützt eine eigene Länge',
	'Separate Stems': 'Spuren trennen',
	Title: 'Titel',
	'Vocal Gender': 'Geschlecht der Stimme',
	Male: 'Männlich',
	Female: 'Weiblich',
};

export type Language = 'en' | 'de';

/** The language of an answer: `de`, `de-AT` and `DE` are German, anything else is English. */
export function languageOf(asked: unknown): Language {
	return /^de\b/i.test(String(asked).replace('_', '-')) ? 'de' : 'en';
}

/** A name that is no word of a language. */
export function inAllLanguages(name: string): Text {
	return { en: name, de: name };
}

/** A text without a translation is marked as one. */
export function textIn(language: Language, text: Text): string {
	if (typeof text !== 'string') return text[language];
	if (language === 'en' || text === '') return text;
	return GERMAN[text] ?? `[de] ${text}`;
}
