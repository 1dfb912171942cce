import type { N8nInstall } from '../lib/n8nInstall.mts';
import { measureDay } from './day.mts';
import { measureFleet } from './fleet.mts';
import { measureImages } from './images.mts';
import { measureLag } from './lag.mts';
import { measureLoad } from './load.mts';
import { measureMemory } from './memory.mts';
import { measureParked } from './parked.mts';
import { measureQueue } from './queue.mts';
import { startRealServer } from './realServer.mts';
import type { PartResult } from './result.mts';
import { measureShort } from './short.mts';

/** What a part needs besides the development dependencies. */
type Needs = 'nothing' | 'package' | 'n8n' | 'queue';

interface Part {
	shows: string;
	minutes: number;
	needs: Needs;
	/** Is given what it needs, and nothing where it needs nothing. */
	measure: (n8n: N8nInstall, tarball: string) => Promise<PartResult>;
}

export const PARTS: Record<string, Part> = {
	a: {
		shows: '20 images, and three such batches in a row, in a real n8n, beside its own nodes',
		minutes: 5,
		needs: 'n8n',
		measure: async (...needed) => await measureImages(await startRealServer(...needed)),
	},
	b: {
		shows: 'how late the end of a job is seen and how many looks that takes (virtual time)',
		minutes: 0.3,
		needs: 'nothing',
		measure: measureLag,
	},
	d: {
		shows: 'a day of 10,000 jobs (virtual time)',
		minutes: 0.7,
		needs: 'nothing',
		measure: measureDay,
	},
	e: {
		shows: 'what 20 and 200 executions that wait durably cost n8n, and a kill of it',
		minutes: 22,
		needs: 'n8n',
		measure: measureParked,
	},
	f: {
		shows: 'short jobs, with histories that can be trusted and others (virtual time)',
		minutes: 1,
		needs: 'nothing',
		measure: measureShort,
	},
	g: {
		shows: 'processes that share an account (virtual time)',
		minutes: 4,
		needs: 'nothing',
		measure: measureFleet,
	},
	h: {
		shows: "n8n's queue mode with 1 and 3 workers",
		minutes: 6,
		needs: 'queue',
		measure: measureQueue,
	},
	i: {
		shows: 'what loading the package costs, beside another one',
		minutes: 0.5,
		needs: 'package',
		measure: async (_, tarball) => await measureLoad(tarball),
	},
	j: {
		shows: 'memory and processor time of 100 to 10,000 items',
		minutes: 6,
		needs: 'nothing',
		measure: measureMemory,
	},
};
