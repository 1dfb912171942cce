import fs from 'node:fs/promises';

import { ToolError } from './lib/errors.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { npm } from './lib/npm.mjs';
import { changesOf, releaseInChangelog, requireOwner } from './lib/releases.mts';

const USAGE = `npm run release -- <version>        gives package.json, its lock and CHANGELOG.md that version
npm run release -- --check <tag>    checks that they have the version of a tag, and prints its changes

Neither publishes: .github/workflows/publish.yml does, when a tag such as v0.1.0 is pushed.`;

const CHANGELOG = 'CHANGELOG.md';
const readJson = async (file: string) => JSON.parse(await fs.readFile(file, 'utf8'));

await runTool(async () => {
	const version = process.argv.at(-1)!.replace(/^v/, '');
	if (!/^\d+\.\d+\.\d+$/.test(version)) throw new ToolError(USAGE);
	requireOwner((await readJson('package.json')).author);
	const changelog = await fs.readFile(CHANGELOG, 'utf8');
	if (process.argv.includes('--check')) {
		for (const file of ['package.json', 'package-lock.json']) {
			const { version: found } = await readJson(file);
			if (found !== version) throw new ToolError(`${file} says ${found}, and the tag ${version}.`);
		}
		console.log(changesOf(changelog, version));
		return;
	}
	const released = releaseInChangelog(changelog, version);
	changesOf(released, version);
	await npm(['version', version, '--no-git-tag-version', '--allow-same-version'], {
		what: 'Setting the version',
	});
	await fs.writeFile(CHANGELOG, released);
	console.log(`package.json, package-lock.json and ${CHANGELOG} say ${version}. Commit them.`);
});
