import { fork } from 'node:child_process';
import path from 'node:path';

import type { Finding, Work } from './memoryNode.mts';
import { round, type PartResult, type Row } from './result.mts';

const PROGRAM = path.resolve('tools/bench/memoryNode.mts');

const SIZES = [100, 1000, 10_000];

const READ = { way: 'ours', isMemoryRead: true } as const;
const KEYS = { ...READ, items: 1, hasOwnKeys: true } as const;

/** Work that shows what is left of a run, or of a key. */
const RUNS: Array<{ title: string; work: Work }> = [
	{ title: '100 runs', work: { ...READ, items: 5, runs: 100 } },
	{ title: '200 runs', work: { ...READ, items: 5, runs: 200 } },
	{ title: '1,000 keys', work: { ...KEYS, runs: 1000 } },
	{ title: '2,000 keys', work: { ...KEYS, runs: 2000 } },
];

/** Measures what the items of one run cost, and what is left of runs and keys. */
export async function measureMemory(): Promise<PartResult> {
	const sizes: Array<{ items: number; row: Row; perItem: Record<'cpuMs' | 'peakKb', number> }> = [];
	for (const items of SIZES) {
		const read = await findOut({ ...READ, items, runs: 1 });
		// Smaller sizes get several runs, so that the times are long enough to compare.
		const runs = Math.max(1, Math.max(...SIZES) / items / TIMED_PART);
		const timed = await findOut({ ...READ, items, runs, isMemoryRead: false });
		const plain = await findOut({ ...READ, way: 'plain', items, runs: 1 });
		const perItem = {
			cpuMs: timed.cpuMs / items / runs,
			peakKb: inKb(read.peak) / items,
		};
		const row = {
			items,
			'ms of CPU/item': round(perItem.cpuMs),
			'KB/item at the peak': round(perItem.peakKb, 1),
			'of it the output': round(inKb(read.output) / items, 1),
			'KB/item stored by n8n': round(inKb(read.stored) / items),
			'two HTTP Request nodes, KB/item': round(inKb(plain.peak) / items, 1),
		};
		sizes.push({ items, row, perItem });
	}
	const kept: Row[] = [];
	for (const { title, work } of RUNS) {
		const { left } = await findOut(work);
		kept.push({ after: title, 'KB left': round(inKb(left), 0) });
	}
	const [few, , many] = sizes.map(({ perItem }) => perItem);
	const [runs, moreRuns, keys, moreKeys] = kept.map((row) => Number(row['KB left']));

	return {
		title: '(j) Memory and processor time of the items of one run, in virtual time',
		tables: [
			{ title: 'One run', rows: sizes.map(({ row }) => row) },
			{ title: 'What is left when the output is gone', rows: kept },
		],
		checks: [
			{ what: 'an item of 10,000', measured: many?.peakKb ?? NaN, bound: 'KB an item' },
			{
				what: 'processor time of an item of 10,000, beside 100',
				measured: (many?.cpuMs ?? NaN) / (few?.cpuMs ?? NaN),
				bound: 'time of many items',
			},
			// What is left includes the remembered identifiers of the latest jobs.
			{ what: '100 more runs leave', measured: moreRuns! - runs!, bound: 'left of runs' },
			{ what: '1,000 more keys leave', measured: moreKeys! - keys!, bound: 'left of keys' },
		],
		summary: sizes.map(({ items, row }) => ({
			what: `each of ${items} items of one run`,
			ours: `${row['ms of CPU/item']} ms, ${row['KB/item at the peak']} KB`,
			bounds: ['KB an item'],
			beside: `two HTTP Request nodes: ${row['two HTTP Request nodes, KB/item']} KB`,
		})),
		notes: [
			'KB/item: most that is in use while the run goes on, garbage collected, less what was before it; the',
			'output and what the node stores in n8n are in it, the input is not. The time is that of the whole',
			'process, with a service that takes little of it.',
			'Two HTTP Request nodes: what n8n keeps of one that starts the jobs and one that looks, with the',
			'request and the answer of each item.',
		],
	};
}

/** The smaller sizes are timed over the largest number of items divided by this. */
const TIMED_PART = 2;

const inKb = (bytes: number) => bytes / 1024;

/** Does some work in virtual time in a process of its own, and returns what that took. */
async function findOut(work: Work): Promise<Finding> {
	const child = fork(PROGRAM, [JSON.stringify(work)], {
		execArgv: ['--expose-gc', '--import', 'tsx'],
	});
	return await new Promise<Finding>((resolve, reject) => {
		let finding: Finding | undefined;
		child.once('error', reject);
		child.once('message', (message) => (finding = message as Finding));
		child.once('exit', (code) => {
			if (finding && code === 0) resolve(finding);
			else reject(new Error(`The process that was measured ended with ${code}`));
		});
	});
}
