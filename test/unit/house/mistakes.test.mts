import fs from 'node:fs';

import { MISTAKES } from '../../mistakes.mts';

/** `npm run test:mistakes` makes the mistakes, every night. Here they are checked for being there to be made. */

const FILES = fs.readdirSync('test', { recursive: true, encoding: 'utf8' });

test('there are 25: when the line of one goes, it is written anew for what took its place', () => {
	expect(new Set(MISTAKES.map(({ name }) => name)).size).toBe(25);
});

test.each(MISTAKES)('$name: one line, which is there once, and its suite', (mistake) => {
	const { file, before, after, suite } = mistake;
	expect(`${before}${after}`).not.toContain('\n');
	const times = fs.readFileSync(file, 'utf8').split(before).length - 1;
	expect([file, before, times]).toEqual([file, before, 1]);
	expect(FILES.some((name) => name.startsWith(suite) && name.endsWith('.test.mts'))).toBe(true);
});
