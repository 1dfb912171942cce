import fs from 'node:fs';
import path from 'node:path';

import { MISTAKES } from '../../mistakes.mts';
import { WHITE_BOX } from '../../whiteBox.mts';

/** `npm run test:mistakes` makes the mistakes, every night. Here they are checked for being there to be made. */

const FILES = fs.readdirSync('test', { recursive: true, encoding: 'utf8' });

test('there are 25: when the line of one goes, it is written anew for what took its place', () => {
	expect(MISTAKES.length).toBe(25);
	expect(new Set(MISTAKES.map(({ name }) => name)).size).toBe(25);
});

test.each(MISTAKES)('$name: one line, which is there once', ({ file, before, after }) => {
	expect(`${before}${after}`).not.toContain('\n');
	const times = fs.readFileSync(file, 'utf8').split(before).length - 1;
	expect([file, before, times]).toEqual([file, before, 1]);
});

test.each(MISTAKES)('$name: its suite is there, and knows nothing of the inside', ({ suite }) => {
	const files = FILES.map((name) => path.join('test', name)).filter(
		(name) => name.startsWith(`test/${suite}`) && name.endsWith('.test.mts'),
	);
	expect(files.length).toBeGreaterThan(0);
	expect(files.filter((name) => WHITE_BOX.includes(name))).toEqual([]);
});
