import fs from 'node:fs';
import path from 'node:path';

import { SUPPORTED } from '../../../tools/lib/n8nVersions.mjs';

/** The supported versions of n8n, and what is written of them elsewhere. */

const LOCKS = path.join('tools', 'n8n');
const versions = SUPPORTED.map(({ n8n }) => n8n);
const json = (...parts: string[]) => JSON.parse(fs.readFileSync(path.join(...parts), 'utf8'));

test('each version has a folder with its manifest and lock, and no other has', () => {
	expect(fs.readdirSync(LOCKS).sort()).toEqual([...versions].sort());
});

test.each(versions)('n8n %s is what its manifest asks for and its lock gives', (version) => {
	expect(json(LOCKS, version, 'package.json').dependencies).toEqual({ n8n: version });
	const { packages } = json(LOCKS, version, 'package-lock.json');
	expect(packages['node_modules/n8n'].version).toBe(version);
});

test('README promises the oldest, and names all of them', () => {
	const readme = fs.readFileSync('README.md', 'utf8').replace(/\s+/g, ' ');
	const [oldest = ''] = versions;
	expect(readme).toContain(`n8n ${oldest.split('.').slice(0, 2).join('.')} or newer`);
	const last = versions.at(-1);
	expect(readme).toContain(`Tested with n8n ${versions.slice(0, -1).join(', ')} and ${last}.`);
});
