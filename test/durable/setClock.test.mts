import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import { removeFolder } from '../../tools/lib/temporaryFolder.mts';
import { parameters, prompts, promptsOf } from '../support/imageBatch.mts';
import { ranOf } from '../support/realN8n.mts';
import { untilJobs } from '../support/until.mts';
import { useRealN8n } from '../support/useRealN8n.mts';

/** Somebody sets the clock of the machine while n8n works on a batch: its time of day, not what passes. */

const folder = mkdtempSync(path.join(os.tmpdir(), 'mediagen-clock-'));
const clockFile = path.join(folder, 'clock');

/** How far n8n's time of day is ahead, s. */
const setClock = async (seconds: number) => await fs.writeFile(clockFile, `+${seconds}\n`);

writeFileSync(clockFile, '+0\n');
const library = execFileSync('faketime', ['-f', '+0', 'printenv', 'LD_PRELOAD'], {
	encoding: 'utf8',
});

const n8n = useRealN8n({
	env: {
		LD_PRELOAD: library.trim(),
		FAKETIME_TIMESTAMP_FILE: clockFile,
		FAKETIME_NO_CACHE: '1',
		FAKETIME_DONT_FAKE_MONOTONIC: '1',
	},
	sandbox: { jobMs: { min: 1000, max: 3000 }, queuedMs: 0 },
});

afterAll(async () => {
	await removeFolder(folder);
});

// Until the clock had caught up, nothing was created or looked at.
jest.setTimeout(300_000);

const items = prompts(12);

test.each([
	['back by 10 minutes', 3600, 3000],
	['forth by an hour', 3600, 7200],
])('%s: the batch goes on', async (_, before, after) => {
	await setClock(before);
	const workflow = await n8n.start({ items, parameters });
	await untilJobs(n8n, 6);
	await setClock(after);
	const { execution, outputs } = ranOf(await n8n.client.waitForWorkflow(workflow));
	expect(execution.status).toBe('success');
	expect(promptsOf(n8n.sandbox, outputs[0])).toEqual(items.map(({ prompt }) => prompt));
	expect(n8n.sandbox.jobs).toHaveLength(items.length);
	// n8n tells its own time, which has been set.
	const tookMs = Date.parse(String(execution.stoppedAt)) - Date.parse(String(execution.startedAt));
	expect(Math.abs(tookMs - (after - before) * 1000)).toBeLessThan(90_000);
});
