import { readFileSync } from 'node:fs';

import { reference } from '../../../tools/lib/reference.mts';

test('docs/reference.md says what the tables say (npm run reference writes it)', () => {
	expect(readFileSync('docs/reference.md', 'utf8')).toBe(reference());
});
