import fs from 'node:fs';
import path from 'node:path';

import { PINNED, SUPPORTED } from '../../../tools/lib/n8nVersions.mjs';

/** The supported versions of n8n, and what is written of them elsewhere. */

const LOCKS = path.join('tools', 'n8n');
const versions = SUPPORTED.map(({ n8n }) => n8n);
const json = (...parts: string[]) => JSON.parse(fs.readFileSync(path.join(...parts), 'utf8'));

test('each version has a folder with its manifest and lock, and no other has', () => {
	expect(fs.readdirSync(LOCKS).sort()).toEqual([...versions].sort());
});

test('unit and engine tests have the n8n-core and n8n-workflow of the newest, and one copy of what these share', () => {
	const { devDependencies } = json('package.json');
	const { packages } = json(LOCKS, PINNED.n8n, 'package-lock.json');
	for (const name of ['n8n-core', 'n8n-workflow'])
		expect(devDependencies[name]).toBe(packages[`node_modules/${name}`].version);
	const nested = Object.keys(json('package-lock.json').packages).filter((folder) =>
		/^node_modules\/n8n-core\/node_modules\/(@n8n\/|n8n-)/.test(folder),
	);
	expect(nested).toEqual([]);
});

test('README promises the oldest, and names all of them', () => {
	const readme = fs.readFileSync('README.md', 'utf8').replace(/\s+/g, ' ');
	const [oldest = ''] = versions;
	expect(readme).toContain(`n8n ${oldest.split('.').slice(0, 2).join('.')} or newer`);
	const last = versions.at(-1);
	expect(readme).toContain(`Tested with n8n ${versions.slice(0, -1).join(', ')} and ${last}.`);
});
