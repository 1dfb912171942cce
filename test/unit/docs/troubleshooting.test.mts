import { readFileSync } from 'node:fs';
import path from 'node:path';

import { textsOf } from '../../../tools/lib/docs/errors/entry.mts';
import { ERROR_GROUPS, troubleshooting } from '../../../tools/lib/docs/troubleshooting.mts';
import { CHARGED } from '../../../nodes/shared/service/retryAdvice.ts';
import { errorMessagesIn, HOLE } from '../../support/errorMessages.mts';

const ROOT = path.join(__dirname, '../../..');

/** Passed around inside the package, a mistake of ours, or no error: shown to nobody. */
const NEVER_SHOWN = [
	'Not started',
	`An order that is ${HOLE} cannot be ${HOLE}`,
	CHARGED.unknown,
	// Behind another message.
	`The service answered: ${HOLE}`,
	`row ${HOLE}`,
	'Rows that are not here were never ordered.',
];

const found = errorMessagesIn(ROOT, ['nodes', 'credentials']).filter(
	({ text }) => !NEVER_SHOWN.includes(text),
);

const entries = ERROR_GROUPS.flatMap((group) => group.entries.flatMap(textsOf));

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');

/** What stands in an entry for what is filled in; of a message with few words of its own, nothing else. */
const PLACEHOLDERS = String.raw`(?::? ?<[^<>]+>)*`;
const VALUES = String.raw`[^<>]*(?:<[^<>]+>)*[^<>]*`;
const FEW_LETTERS = 14;

const valuesIn = (text: string) =>
	text.replace(/[^a-z]/gi, '').length > FEW_LETTERS ? VALUES : PLACEHOLDERS;

/** A message of the code, as a whole text of an entry or a whole part of one. */
function patternOf(text: string, filledIn: string): RegExp {
	const own = text.trim().replace(/\.$/, '');
	const parts = own.split(new RegExp(`${HOLE}+`)).map(escaped);
	return new RegExp(String.raw`(?<![\p{L}\d])${parts.join(filledIn)}(?=$|[.,:;)"]|\s[(<])`, 'u');
}

test('docs/troubleshooting.md says what the tables say (npm run reference writes it)', () => {
	expect(readFileSync(path.join(ROOT, 'docs/troubleshooting.md'), 'utf8')).toBe(troubleshooting());
});

test('every message of an error has an entry', () => {
	expect(found.length).toBeGreaterThan(150);
	const missing = found.filter(
		({ text }) => !entries.some((entry) => patternOf(text, '.+').test(entry)),
	);
	expect(missing.map(({ place, text }) => `${place}: ${text.replaceAll(HOLE, '<…>')}`)).toEqual([]);
});

test('every entry is about a message of an error', () => {
	const patterns = found.map(({ text }) => patternOf(text, valuesIn(text)));
	expect(entries.filter((entry) => !patterns.some((pattern) => pattern.test(entry)))).toEqual([]);
});

test('no message has two entries', () => {
	const messages = ERROR_GROUPS.flatMap((group) => group.entries.map(({ message }) => message));
	expect(messages.filter((text, index) => messages.indexOf(text) !== index)).toEqual([]);
});

test('what stands for a value is in code, where Markdown shows it', () => {
	const text = troubleshooting()
		.replace(/<!--.*?-->/g, '')
		.replace(/`[^`\n]*`/g, '');
	expect(text).not.toMatch(/[<`]/);
});
