import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

import { lintWorkflows } from '../../../tools/lib/workflows.mts';

test('the workflows of the repository have no mistakes', async () => {
	expect(await lintWorkflows()).toEqual([]);
});

test('a mistake is told with its place, an unknown machine is none', async () => {
	const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'workflows-'));
	const workflow = `on: push
jobs:
  a:
    runs-on: ubuntu-99.04
    needs: b
    steps:
      - run: echo "$A"
`;
	try {
		fs.writeFileSync(path.join(folder, 'a.yml'), workflow);
		expect(await lintWorkflows(folder)).toEqual([
			expect.stringMatching(/^a\.yml:3:3: job "a" needs job "b"/),
		]);
	} finally {
		fs.rmSync(folder, { recursive: true });
	}
});
