import { setMaxListeners } from 'node:events';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { executeCatalog } from '../../nodes/shared/execute/execute.ts';
import { VirtualClock } from '../../test/support/virtualClock.mts';
import { virtualContext } from '../../test/support/virtualContext.mts';
import { BASE_URL } from '../../test/support/virtualNetwork.mts';
import { LightService } from './lightService.mts';
import { IMAGE, parametersOf } from './virtualJobs.mts';

/** The process whose memory and processor time are measured: it has the node, and a service that takes hardly any. */

export interface Work {
	items: number;
	runs: number;
	hasOwnKeys?: true;
	/** Whether memory is looked at while it works, which takes time. */
	isMemoryRead: boolean;
}

/** What it has come to, bytes and ms of the processor. */
export interface Finding {
	cpuMs: number;
	peak: number;
	/** What is left of it when its output is gone. */
	left: number;
}

const NODE: INode = {
	id: '1',
	name: 'MediaGen',
	type: 'n8n-nodes-mediagen.mediaGenImage',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Before anything is measured: compiled code and what is made once are not of the items. */
const WARM_UP: Work = { items: 500, runs: 1, isMemoryRead: false };

/** Memory is looked at about so often. */
const LOOKS = 20;

/** Requests that a job takes, roughly. */
const REQUESTS = 3;

const clock = new VirtualClock();
const network = new LightService(clock);

/** What the node gives out, and what it has in n8n's execution data. */
async function runNode(items: INodeExecutionData[], run: number, key: string) {
	const memory: IDataObject = {};
	const { signal } = new AbortController();
	setMaxListeners(Infinity, signal);
	const context = virtualContext({
		network,
		credential: { baseUrl: BASE_URL, apiKey: key },
		items,
		parameters: (itemIndex) => parametersOf(IMAGE, itemIndex),
		node: NODE,
		memory,
		executionId: String(run),
		mode: 'trigger',
		hints: [],
		messages: [],
		signal,
	});
	const [outputs = []] = await clock.run(executeCatalog(context, IMAGE.catalog, clock));
	return { outputs, memory };
}

/** So many turns, after which the collector gives back what the one before has let go of. */
const TURNS = 3;

/** Bytes in use once all is given back that nobody needs. */
async function inUseAtRest(): Promise<number> {
	for (let turn = 0; turn < TURNS; turn++) {
		globalThis.gc?.();
		await new Promise((resolve) => setTimeout(resolve));
	}
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

async function carryOut(work: Work): Promise<Finding> {
	const { items, runs, hasOwnKeys, isMemoryRead } = work;
	const input = Array.from({ length: items }, (_, index) => ({ json: { index } }));
	const before = isMemoryRead ? await inUseAtRest() : 0;
	const finding = { cpuMs: 0, peak: 0, left: 0 };
	const look = async () => {
		if (isMemoryRead) finding.peak = Math.max(finding.peak, (await inUseAtRest()) - before);
	};
	const between = Math.max(1, Math.ceil((items * runs * REQUESTS) / LOOKS));
	let answers = 0;
	network.onAnswer = async () => {
		if (++answers % between === 0) await look();
	};
	const start = process.cpuUsage();
	const runOnce = async (run: number) => {
		const done = await runNode(input, run, hasOwnKeys ? `key ${run}` : 'key');
		if (run === runs - 1) await look();
		// So long, all that n8n keeps of the run is in use.
		if (done.outputs.length !== items) throw new Error('Not all items are there');
	};
	for (let run = 0; run < runs; run++) await runOnce(run);
	network.onAnswer = async () => {};
	const { user, system } = process.cpuUsage(start);
	finding.cpuMs = (user + system) / 1000;
	if (isMemoryRead) finding.left = (await inUseAtRest()) - before;
	return finding;
}

const work = JSON.parse(process.argv[2] ?? '{}') as Work;
await carryOut(WARM_UP);
process.send?.(await carryOut(work), () => process.disconnect());
