import { readFileSync } from 'node:fs';

import { mutationTable, withMutationTable } from '../../../tools/mutate/results.mts';

const FOUND = {
	at: '2026-01-01T00:00:00.000Z',
	mutants: 10,
	ignored: 2,
	tested: 8,
	killed: 5,
	timedOut: 1,
	survived: 2,
	score: 75,
	survivors: {},
};

test('docs/maintainers/mutation.md has the table that docs/maintainers/mutation.json gives (npm run mutate writes both)', () => {
	const page = readFileSync('docs/maintainers/mutation.md', 'utf8');
	const results = JSON.parse(readFileSync('docs/maintainers/mutation.json', 'utf8'));
	expect(page).toBe(withMutationTable(page, results));
});

test('a folder is a row', () => {
	const other = {
		...FOUND,
		tested: 4,
		killed: 4,
		timedOut: 0,
		survived: 0,
		ignored: 0,
		score: 100,
	};
	expect(mutationTable({ spec: FOUND, jobs: other })).toBe(
		[
			'| Folder | Mutants | Texts | Tested | Failed | No end | Survived | Score   |',
			'| ------ | ------- | ----- | ------ | ------ | ------ | -------- | ------- |',
			'| `spec` | 10      | 2     | 8      | 5      | 1      | 2        | 75.0 %  |',
			'| `jobs` | 10      | 0     | 4      | 4      | 0      | 0        | 100.0 % |',
		].join('\n'),
	);
});
