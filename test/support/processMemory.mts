import fs from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two looks. */
const SAMPLE_INTERVAL = 50;

/** How often the work is done, at most. Other activity makes a process grow, too, but not each time as much. */
const TIMES = 3;

/**
 * The least by which the resident memory of a process group grows while it does some work, in bytes, of all
 * times that the work is done (Linux only).
 *
 * @param group process that leads the group
 * @param most bytes; after less growth than this, the work is not done again
 */
export async function leastGrowth(
	group: number,
	most: number,
	work: () => Promise<unknown>,
): Promise<number> {
	let least = Infinity;
	for (let time = 0; time < TIMES && least >= most; time++)
		least = Math.min(least, await growth(group, work));
	return least;
}

async function growth(group: number, work: () => Promise<unknown>): Promise<number> {
	const before = await residentBytes(group);
	let peak = before;
	let isDone = false;
	const watch = async () => {
		while (!isDone) {
			peak = Math.max(peak, await residentBytes(group));
			await sleep(SAMPLE_INTERVAL);
		}
	};
	const watching = watch();
	await work().finally(() => (isDone = true));
	await watching;
	return peak - before;
}

async function residentBytes(group: number): Promise<number> {
	const names = (await fs.readdir('/proc')).filter((name) => /^\d+$/.test(name));
	const sizes = await Promise.all(names.map(async (pid) => await residentIn(pid, group)));
	return sizes.reduce((sum, size) => sum + size, 0);
}

async function residentIn(pid: string, group: number): Promise<number> {
	// A process may have ended since its name was read.
	const stat = await fs.readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
	// After the program's name, which may hold anything: state, parent, group.
	const processGroup = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]);
	if (processGroup !== group) return 0;
	const status = await fs.readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
	return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
}
