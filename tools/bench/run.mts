import os from 'node:os';

import type { N8nInstall } from '../lib/n8nInstall.mjs';
import { step } from '../lib/run.mjs';
import { measureDay } from './day.mts';
import { measureImages } from './images.mts';
import { measureLag } from './lag.mts';
import { measureOverhead } from './overhead.mts';
import { measureParked } from './parked.mts';
import { startRealServer } from './realServer.mts';
import { partText } from './report.mts';
import { passes, type PartResult } from './result.mts';

export type PartName = 'a' | 'b' | 'c' | 'd' | 'e';

/** What has to be there to start a real n8n. */
interface Real {
	n8n: N8nInstall;
	tarball: string;
}

/** Runs the parts one after another and prints each as soon as it is known. */
export async function runBench(parts: readonly PartName[], real?: Real) {
	const measure = measures(real);
	const results: Partial<Record<PartName, PartResult>> = {};
	for (const part of parts) {
		const result = await step(`Part ${part}`, measure[part]);
		results[part] = result;
		console.log(partText(result));
	}
	return {
		at: new Date().toISOString(),
		machine: `${os.cpus().length} x ${os.cpus()[0]?.model}, Node ${process.versions.node}`,
		passed: Object.values(results).every(({ checks }) => checks.every(passes)),
		parts: results,
	};
}

function measures(real?: Real): Record<PartName, () => Promise<PartResult>> {
	let started: ReturnType<typeof startRealServer> | undefined;
	const { n8n, tarball } = real ?? {};
	const needed = <T,>(value: T | undefined): T => {
		if (value === undefined) throw new Error('This part needs a real n8n');
		return value;
	};
	// One for both: the second part finds it warm.
	const server = async () => await (started ??= startRealServer(needed(n8n), needed(tarball)));
	return {
		a: async () => await measureImages(await server()),
		b: measureLag,
		c: async () => await measureOverhead(await server()),
		d: measureDay,
		e: async () => await measureParked(needed(n8n), needed(tarball)),
	};
}
