import { cleanText, inWords } from '../../../nodes/shared/service/shownText.ts';

test.each([
	['two\r\nlines', 'two lines'],
	[' a\t\u0000\u001b[31mb\u007f ', 'a [31mb'],
	['turned \u202eround\u2069 \u2028', 'turned round'],
	['<b>as it is</b> 👩‍🎤 é', '<b>as it is</b> 👩‍🎤 é'],
	['', ''],
])('%j becomes %j', (text, clean) => {
	expect(cleanText(text)).toBe(clean);
});

test('a long text is cut between characters', () => {
	expect(cleanText('😀'.repeat(20), 10)).toBe(`${'😀'.repeat(10)}…`);
	expect(cleanText('x'.repeat(10), 10)).toBe('x'.repeat(10));
	expect(cleanText('x'.repeat(50_000_000), 10)).toBe(`${'x'.repeat(10)}…`);
});

test('many or large details are cut', () => {
	const details = Object.fromEntries(
		Array.from({ length: 12 }, (_, index) => [`f${index}\n`, ['y'.repeat(1000)]]),
	);
	const text = inWords(details);
	expect(text).toMatch(/^f0 : y+…, f1 : /);
	expect(text).toMatch(/, f9 : y+… and 2 more$/);
});
