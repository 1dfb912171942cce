import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';

import bench from '../../../tools/bench.mts';
import { limitOf } from '../../../tools/bench/bounds.mts';

/** The command itself, with results that it does not have to measure. */

const NAME = 'n8n, batches in a row';
const { bound, goal = NaN } = limitOf(NAME);

let folder: string;
beforeAll(() => (folder = mkdtempSync(path.join(tmpdir(), 'mediagen-bench-'))));
afterEach(() => jest.restoreAllMocks());
afterAll(() => rmSync(folder, { recursive: true }));

/** What the command prints and ends with. */
async function ran(measured: number) {
	const from = path.join(folder, 'from.json');
	const checks = [{ what: 'work', measured, bound: NAME }];
	const part = { at: '', title: 'part', tables: [], checks, summary: [], notes: [] };
	writeFileSync(from, JSON.stringify({ a: part }));
	const json = path.join(folder, 'to.json');
	jest.replaceProperty(process, 'argv', ['node', 'bench', '--from', from, '--json', json]);
	const log = jest.spyOn(console, 'log').mockImplementation(() => {});
	const code = await bench();
	return { code, printed: log.mock.calls.join('\n') };
}

test('a goal that is missed is shown, and the command ends with 0', async () => {
	const { code, printed } = await ran((bound + goal) / 2);
	expect(printed).toMatch(/GOAL MISSED +\| work/);
	expect(code).toBe(0);
});

test('with a bound that is broken, it ends with 1', async () => {
	const { code, printed } = await ran(bound + 0.01);
	expect(printed).toMatch(/FAIL +\| work/);
	expect(code).toBe(1);
});
