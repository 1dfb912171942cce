import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { putBackReadme, putPackedReadme } from '../../../tools/lib/packageBuild.mts';
import { changesOf, packedReadme, requireOwner } from '../../../tools/lib/releases.mts';

/** What goes out with a version. */

const CHANGELOG = '## 0.2.0\n\n- New.\n\n## 0.1.0\n\n- First.\n';

test.each([
	[CHANGELOG, '0.2.0', '- New.'],
	[CHANGELOG, '0.1.0', '- First.'],
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

test('nothing is released with the address that stands for one', () => {
	expect(() => requireOwner({ email: 'some@one.org' })).not.toThrow();
	expect(() => requireOwner({ email: 'some@one.example' })).toThrow('is read by nobody');
});

describe('the package', () => {
	let folder = '';

	beforeEach(async () => {
		folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mediagen-prepack-'));
		await fs.copyFile('package.json', path.join(folder, 'package.json'));
	});

	afterEach(() => fs.rm(folder, { recursive: true }));

	test('has README with full addresses, which is afterwards as it was, or is written since', async () => {
		const readme = path.join(folder, 'README.md');
		await fs.mkdir(path.join(folder, 'dist'));
		for (const text of ['[Money](docs/money.md)', '[Agents](docs/agents.md)']) {
			await fs.writeFile(readme, text);
			await putPackedReadme(folder);
			await putPackedReadme(folder);
			expect(await fs.readFile(readme, 'utf8')).toMatch(/^\[\w+\]\(https:\/\/github\.com\//);
			await putBackReadme(folder);
			expect(await fs.readFile(readme, 'utf8')).toBe(text);
		}
	});

	test('has pictures and links of README that lead to files', async () => {
		const before =
			'<img src="docs/a.png"> ![A](docs/a.png) [m](docs/m.md#x) [b](#b) [n](https://n.io)';
		const raw = 'https://raw.githubusercontent.com/someone/package/HEAD/docs/a.png';
		const link = 'https://github.com/someone/package/blob/HEAD/docs/m.md#x';
		expect(packedReadme(before, 'someone/package')).toBe(
			`<img src="${raw}"> ![A](${raw}) [m](${link}) [b](#b) [n](https://n.io)`,
		);
	});
});
