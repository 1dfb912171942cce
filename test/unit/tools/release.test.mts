import fs from 'node:fs';

import { changesOf } from '../../../tools/lib/releases.mts';

/** What goes out with a version. */

const CHANGELOG = '## 0.2.0\n\n- New.\n\n## 0.1.0\n\n- First.\n';

test.each([
	[CHANGELOG, '0.2.0', '- New.'],
	[`## Unreleased\n\n${CHANGELOG}`, '0.2.0', '- New.'],
])('%j: the changes of %s are %s', (changelog, version, changes) => {
	expect(changesOf(changelog, version)).toBe(changes);
});

test.each([
	[CHANGELOG, 'no section "## 0.3.0"'],
	[`## 0.3.0\n\n${CHANGELOG}`, 'nothing in it'],
	[`## Unreleased\n\n- More.\n\n## 0.3.0\n\n- New.\n`, 'changes under "## Unreleased"'],
])('%j: 0.3.0 does not go out', (changelog, reason) => {
	expect(() => changesOf(changelog, '0.3.0')).toThrow(reason);
});

test('README shows its pictures on npm, too: they have full addresses, of files that are there', () => {
	const shown = [...fs.readFileSync('README.md', 'utf8').matchAll(/src(?:set)?="([^"]*)"/g)];
	expect(shown.length).toBeGreaterThan(0);
	const { repository } = JSON.parse(fs.readFileSync('package.json', 'utf8'));
	const [, name = ''] = /github\.com\/(.*)\.git$/.exec(repository.url) ?? [];
	for (const [, address = ''] of shown) {
		const [, file = ''] = address.split(`https://raw.githubusercontent.com/${name}/HEAD/`);
		expect(fs.existsSync(file)).toBe(true);
	}
});
