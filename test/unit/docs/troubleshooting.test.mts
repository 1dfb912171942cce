import { readFileSync } from 'node:fs';
import path from 'node:path';

import { errorEntries, sources } from '../../../tools/lib/docs/errorEntries.mts';
import { ERROR_GROUPS, troubleshooting } from '../../../tools/lib/docs/troubleshooting.mts';

const entries = errorEntries();
const messages = entries.flatMap((entry) => entry.messages);

test('docs/troubleshooting.md says what stands beside the messages (npm run reference writes it)', () => {
	const page = path.join(__dirname, '../../../docs/troubleshooting.md');
	expect(readFileSync(page, 'utf8')).toBe(troubleshooting());
});

test('every entry has a message and a group of the page, and no message has two', () => {
	expect(messages).toHaveLength(sources().join('').split('@error(').length - 1);
	expect(Object.keys(ERROR_GROUPS)).toEqual(
		expect.arrayContaining(entries.map(({ group }) => group)),
	);
	expect(messages).not.toContain('');
	expect(messages.filter((text, index) => messages.indexOf(text) !== index)).toEqual([]);
});

test('every entry says what to do, but for rules that say it themselves', () => {
	const silent = entries.filter(({ text }) => text === '').map(({ group }) => group);
	expect(silent.filter((group) => group !== 'rules')).toEqual([]);
});

/** Where the code puts a text together. */
const SEAM = '\u0001';

test('what an entry says of a message stands in the code', () => {
	const code = sources()
		.join('\n')
		.replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
		.replace(/\$\{[^}]*\}|['"`]/g, SEAM);
	const isPutTogether = (piece: string) =>
		[...piece].some(
			(_, at) => code.includes(piece.slice(0, at) + SEAM) && code.includes(SEAM + piece.slice(at)),
		);
	const isInCode = (message: string) =>
		message.split(/<[^<>]*>|['"`]/).every((piece) => code.includes(piece) || isPutTogether(piece));
	expect(messages.filter((message) => !isInCode(message))).toEqual([]);
});

test('what stands for a value is in code, where Markdown shows it', () => {
	const text = troubleshooting()
		.replace(/<!--.*?-->/g, '')
		.replace(/`[^`\n]*`/g, '');
	expect(text).not.toMatch(/[<`]/);
});
