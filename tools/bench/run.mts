import os from 'node:os';

import type { N8nInstall } from '../lib/n8nInstall.mjs';
import { step } from '../lib/run.mjs';
import { measureDay } from './day.mts';
import { measureImages } from './images.mts';
import { measureLag } from './lag.mts';
import { measureOverhead } from './overhead.mts';
import { startRealServer, type RealServer } from './realServer.mts';
import { partText } from './report.mts';
import { passes, type PartResult } from './result.mts';

export type PartName = 'a' | 'b' | 'c' | 'd';

/** What has to be there to start a real n8n. */
interface Real {
	n8n: N8nInstall;
	tarball: string;
}

/** Runs the parts one after another and prints each as soon as it is known. */
export async function runBench(parts: readonly PartName[], real?: Real) {
	const server =
		real &&
		(await step('Starting n8n with the package (about 8 s)', async () => {
			return await startRealServer(real.n8n, real.tarball);
		}));
	const results: Partial<Record<PartName, PartResult>> = {};
	for (const part of parts) {
		const result = await step(`Part ${part}`, async () => await measure(part, server));
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

async function measure(part: PartName, server?: RealServer): Promise<PartResult> {
	if (part === 'a' && server) return await measureImages(server);
	if (part === 'c' && server) return await measureOverhead(server);
	if (part === 'b') return await measureLag();
	if (part === 'd') return await measureDay();
	throw new Error(`Part ${part} cannot be measured`);
}
