import fs from 'node:fs';

import { missingOptionals } from '../../../tools/lib/lockFile.mts';

const readLock = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8'));

test('the lock has an entry for every optional package that it names', () => {
	const missing = missingOptionals(readLock('package-lock.json'));
	// "npm run lock" adds them.
	expect(missing).toEqual([]);
});
