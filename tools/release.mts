import fs from 'node:fs/promises';

import { changesOf, releaseInChangelog } from './lib/changelog.mts';
import { ToolError } from './lib/errors.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { requireOwner } from './lib/metadata.mts';
import { npm } from './lib/npm.mjs';

const USAGE = `npm run release -- <version>        gives package.json, its lock and CHANGELOG.md that version
npm run release -- --check <tag>    checks that they have the version of a tag, and prints its changes

Neither publishes: .github/workflows/publish.yml does, when a tag such as v0.1.0 is pushed.`;

const CHANGELOG = 'CHANGELOG.md';

const VERSION = /^\d+\.\d+\.\d+$/;

await runTool(async () => {
	const args = process.argv.slice(2);
	const isCheck = args[0] === '--check';
	const version = args[isCheck ? 1 : 0]?.replace(/^v/, '');
	if (!version || !VERSION.test(version)) throw new ToolError(USAGE);
	requireOwner(JSON.parse(await fs.readFile('package.json', 'utf8')));
	await (isCheck ? check(version) : prepare(version));
});

async function prepare(version: string) {
	const released = releaseInChangelog(await fs.readFile(CHANGELOG, 'utf8'), version);
	await npm(['version', version, '--no-git-tag-version', '--allow-same-version'], {
		what: 'Setting the version',
	});
	await fs.writeFile(CHANGELOG, released);
	console.log(`package.json, package-lock.json and ${CHANGELOG} say ${version}. Commit them.`);
}

async function check(version: string) {
	for (const file of ['package.json', 'package-lock.json']) {
		const { version: found } = JSON.parse(await fs.readFile(file, 'utf8'));
		if (found !== version) throw new ToolError(`${file} says ${found}, and the tag ${version}.`);
	}
	console.log(changesOf(await fs.readFile(CHANGELOG, 'utf8'), version));
}
