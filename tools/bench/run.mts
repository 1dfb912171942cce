import type { N8nInstall } from '../lib/n8nInstall.mts';
import { step } from '../lib/run.mjs';
import { measureDay } from './day.mts';
import { measureFleet } from './fleet.mts';
import { measureImages } from './images.mts';
import { measureLag } from './lag.mts';
import { measureLoad } from './load.mts';
import { measureMemory } from './memory.mts';
import { measureParked } from './parked.mts';
import type { PARTS } from './parts.mts';
import { measureQueue } from './queue.mts';
import { startRealServer } from './realServer.mts';
import { partText } from './report.mts';
import type { PartResult, Results } from './result.mts';
import { measureShort } from './short.mts';

export type PartName = keyof typeof PARTS;

/** What parts need that they do not start themselves; what none of them needs is left out. */
interface Prepared {
	n8n?: N8nInstall;
	tarball?: string;
}

/** Runs the parts one after another and prints each as soon as it is known. */
export async function runBench(parts: readonly PartName[], prepared: Prepared): Promise<Results> {
	const measure = measures(prepared);
	const results: Results = {};
	for (const part of parts) {
		const result = await step(`Part ${part}`, measure[part]);
		results[part] = { at: new Date().toISOString(), ...result };
		console.log(partText(result));
	}
	return results;
}

function measures({ n8n, tarball }: Prepared): Record<PartName, () => Promise<PartResult>> {
	const needed = <T,>(value: T | undefined): T => {
		if (value === undefined) throw new Error('This part was not prepared');
		return value;
	};
	return {
		a: async () => await measureImages(await startRealServer(needed(n8n), needed(tarball))),
		b: measureLag,
		d: measureDay,
		e: async () => await measureParked(needed(n8n), needed(tarball)),
		f: measureShort,
		g: measureFleet,
		h: async () => await measureQueue(needed(n8n), needed(tarball)),
		i: async () => await measureLoad(needed(tarball)),
		j: measureMemory,
	};
}
