import { readFileSync } from 'node:fs';

import { reference, withReadiness } from '../../../tools/lib/reference.mts';

test('docs/reference.md says what the tables say (npm run reference writes it)', () => {
	expect(readFileSync('docs/reference.md', 'utf8')).toBe(reference());
});

describe('what works with address and key alone, in README.md', () => {
	const readme = readFileSync('README.md', 'utf8');

	test('is what the tables say (npm run reference writes it)', () => {
		expect(readme).toBe(withReadiness(readme));
	});

	// From the document: which endpoints have a path and a status path there.
	test.each([
		['Works at once', /Standard Video, Family A.*Video Studio/],
		['Starts jobs, but may be unable to wait for them', /Family B 2\.6/],
		['Does nothing before it has its path', /Family C.*Image to Video/],
		['Does nothing before it has its path', /MediaGen Music +\| Song, .*Voice/],
	])('%s: %s', (situation, resources) => {
		const rows = readme.split('\n').filter((line) => line.includes(`| ${situation} `));
		expect(rows.join('\n')).toMatch(resources);
	});
});
