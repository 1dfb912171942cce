import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { limitOf } from '../../../tools/bench/bounds.mts';

/** The command itself, with results that it does not have to measure. */

const NAME = 'n8n, batches in a row';
const { bound, goal = NaN } = limitOf(NAME);

let folder: string;
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'mediagen-bench-'))));
afterAll(() => rmSync(folder, { recursive: true }));

function bench(measured: number) {
	const from = path.join(folder, 'from.json');
	const checks = [{ what: 'work', measured, bound: NAME }];
	const part = { at: '', title: 'part', tables: [], checks, summary: [], notes: [] };
	writeFileSync(from, JSON.stringify({ a: part }));
	const json = path.join(folder, 'to.json');
	const args = ['tools/start.mjs', 'bench', '--from', from, '--json', json];
	return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

test('a goal that is missed is shown, and the command ends with 0', () => {
	const { status, stdout } = bench((bound + goal) / 2);
	expect(stdout).toMatch(/GOAL MISSED +\| work/);
	expect(status).toBe(0);
});

test('with a bound that is broken, it ends with 1', () => {
	const { status, stdout } = bench(bound + 0.01);
	expect(stdout).toMatch(/FAIL +\| work/);
	expect(status).toBe(1);
});
