import { setMaxListeners } from 'node:events';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';

import { UNBOUNDED, VirtualClock } from '../../test/support/virtualClock.mts';
import { virtualContext } from '../../test/support/virtualContext.mts';
import { BASE_URL } from '../../test/support/virtualNetwork.mts';
import { LightService } from './lightService.mts';
import { IMAGE, parametersOf } from './virtualJobs.mts';
import { runNode } from '../../test/support/product.mts';

/**
 * The process whose memory and processor time are measured. It runs the node, or a substitute for other nodes, and a
 * service that needs hardly any of either.
 */

export interface Work {
	/** `plain`: two HTTP Request nodes and what n8n keeps of them. */
	way: 'ours' | 'plain';
	items: number;
	runs: number;
	hasOwnKeys?: true;
	/** Whether memory is measured during the work, which takes time. */
	isMemoryRead: boolean;
}

/** What the work took, in bytes and ms of processor time. */
export type Finding = Awaited<ReturnType<typeof carryOut>>;

const NODE: INode = {
	id: '1',
	name: 'MediaGen',
	type: 'n8n-nodes-mediagen.mediaGenImage',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

/** Runs first, since compiled code and what is made only once do not count towards the items. */
const WARM_UP: Work = { way: 'ours', items: 500, runs: 1, isMemoryRead: false };

/** About how many times memory is measured. */
const LOOKS = 20;

/** About how many requests a job takes. */
const REQUESTS = 3;

const clock = new VirtualClock();
clock.bounds = UNBOUNDED;
const network = new LightService(clock);

interface Run {
	outputs: INodeExecutionData[];
	memory: IDataObject;
}

async function runOurs(items: INodeExecutionData[], run: number, key: string): Promise<Run> {
	const memory: IDataObject = {};
	const { signal } = new AbortController();
	setMaxListeners(Infinity, signal);
	const context = virtualContext({
		kind: IMAGE.kind,
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
	const [outputs = []] = await clock.run(runNode(IMAGE.kind, context, clock));
	return { outputs, memory };
}

/** Between two looks at a job, in ms, and how many jobs run at a time, which is what the service allows. */
const LOOK_MS = 5000;
const AT_ONCE = 5;

/** Stands for a node that starts the jobs and one that looks until they are done: n8n keeps the output of both. */
async function runPlain(items: INodeExecutionData[]): Promise<Run> {
	const kept: INodeExecutionData[] = [];
	const outputs: INodeExecutionData[] = [];
	const queue = items.keys();
	const ask = async (method: 'GET' | 'POST', path: string, body?: IDataObject) => {
		const request = { method, url: `${BASE_URL}${path}`, body, headers: {} };
		const { body: stream, ...answer } = await network.send(request);
		const text = Buffer.concat(await stream.toArray()).toString('utf8');
		return { request, answer: { ...answer, body: JSON.parse(text) as IDataObject } };
	};
	const worker = async () => {
		for (const item of queue) {
			const { prompt, size } = { ...parametersOf(IMAGE, item), size: '1:1' };
			const made = await ask('POST', '/api/v1/generate/', { prompt, size });
			kept.push({ json: made as unknown as IDataObject, pairedItem: { item } });
			const id = JSON.stringify(made.answer.body).match(/"[a-z_]*id":"([^"]+)"/)?.[1];
			for (;;) {
				await clock.sleep(LOOK_MS);
				const seen = await ask('GET', `/api/v1/generate/${id}/`);
				if (!JSON.stringify(seen.answer.body).includes('"completed"')) continue;
				outputs[item] = { json: seen as unknown as IDataObject, pairedItem: { item } };
				break;
			}
		}
	};
	await clock.run(Promise.all(Array.from({ length: AT_ONCE }, worker)));
	return { outputs, memory: kept as unknown as IDataObject };
}

/** How many collections it takes to free everything: each frees what the one before has let go of. */
const TURNS = 3;

/** The bytes in use after everything that nobody needs has been freed. */
async function inUseAtRest(): Promise<number> {
	for (let turn = 0; turn < TURNS; turn++) {
		globalThis.gc?.();
		await new Promise((resolve) => setTimeout(resolve));
	}
	const { heapUsed, external } = process.memoryUsage();
	return heapUsed + external;
}

async function carryOut(work: Work) {
	const { way, items, runs, hasOwnKeys, isMemoryRead } = work;
	const input = Array.from({ length: items }, (_, index) => ({ json: { index } }));
	const before = isMemoryRead ? await inUseAtRest() : 0;
	const finding = {
		cpuMs: 0,
		peak: 0,
		/** Bytes of the last output, and what is left once that is gone. */
		output: 0,
		left: 0,
		/** What the node keeps in n8n's execution data, in characters of JSON. */
		stored: 0,
	};
	const look = async () => {
		if (isMemoryRead) finding.peak = Math.max(finding.peak, (await inUseAtRest()) - before);
	};
	const between = Math.max(1, Math.ceil((items * runs * REQUESTS) / LOOKS));
	let answers = 0;
	network.onAnswer = async () => {
		if (++answers % between === 0) await look();
	};
	const start = process.cpuUsage();
	for (let run = 0; run < runs; run++) {
		const key = hasOwnKeys ? `key ${run}` : 'key';
		let done: Run | undefined = await (way === 'ours' ? runOurs(input, run, key) : runPlain(input));
		if (done.outputs.filter(Boolean).length !== items) throw new Error('Not all items are there');
		finding.stored = JSON.stringify(done.memory).length;
		if (run === runs - 1) await look();
		const { outputs } = done;
		done = undefined;
		if (isMemoryRead && run === runs - 1) finding.output = (await inUseAtRest()) - before;
		outputs.length = 0;
	}
	network.onAnswer = async () => {};
	const { user, system } = process.cpuUsage(start);
	finding.cpuMs = (user + system) / 1000;
	if (isMemoryRead) finding.left = (await inUseAtRest()) - before;
	finding.output -= finding.left;
	return finding;
}

const work = JSON.parse(process.argv[2] ?? '{}') as Work;
await carryOut(WARM_UP);
await carryOut({ ...WARM_UP, way: work.way, items: 50 });
process.send?.(await carryOut(work), () => process.disconnect());
