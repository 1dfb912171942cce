import {
	WAIT_INDEFINITELY,
	type IConnections,
	type IDataObject,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { EngineWorkflow, Status } from '../../../support/engineTypes.mts';
import { VirtualEngine } from '../../../support/virtualEngine.mts';
import type { ChaosPlan, Kill } from './plan.mts';

/** How things stood when n8n was killed. */
interface AtKill {
	/** Of the user's execution; `undefined` when it had not been stored. */
	status: Status | undefined;
	/** Times that it had been resumed by then. */
	resumed: number;
	/** It was parked, and so was nobody who works for it: nobody is woken up any more. */
	isOrphaned: boolean;
}

/** What a plan came to. */
export interface ChaosPlay {
	plan: ChaosPlan;
	engine: VirtualEngine;
	/** The user's execution. */
	id: string;
	atKill?: AtKill;
	/** The key was in something that was stored. */
	isKeyStored: boolean;
	/** Executions that had not ended after so long, and after a person has retried the helper of an orphan. */
	left: string[];
	/** What happened in all processes of n8n together (`Instant`). */
	instants: number;
}

/** The user's execution is the first. */
const ID = '1';

/** Plays begin so far apart that none knows of another in the same process, ms. */
const APART_MS = 4 * 24 * 3600 * 1000;
let plays = 0;

/** Virtual time after which an execution counts as one that does not end, ms, and between looks. */
const FOREVER_MS = 24 * 3600 * 1000;
const POLL_MS = 300_000;

const CREDENTIALS = { mediaGenApi: { id: '1', name: 'MediaGen' } };

/** What comes into the user's workflow. */
export const itemsOf = ({ prompts }: Pick<ChaosPlan, 'prompts'>): INodeExecutionData[] =>
	prompts.map((prompt) => ({ json: { prompt } }));

/** The user's workflow waits for so long where it does, seconds. */
const WAIT_SECONDS = 900;

/** Plays the plan until all executions have ended. */
export async function playChaos(plan: ChaosPlan): Promise<ChaosPlay> {
	let countdown = 0;
	let onZero = () => {};
	const engine = new VirtualEngine({
		settings: plan.settings,
		startsAt: Date.UTC(2026, 0, 1) + ++plays * APART_MS,
		hasLog: plan.hasLog,
		onInstant: () => {
			play.instants += 1;
			if (--countdown === 0) onZero();
		},
	});
	const { key } = engine.state.settings;
	const play: ChaosPlay = { plan, engine, id: ID, isKeyStored: false, left: [], instants: 0 };
	engine.store.onWrite = (text) => (play.isKeyStored ||= text.includes(key));
	for (const rule of plan.faults) engine.state.faults.add(rule);

	const kill = () => {
		const { status, waitTill } = engine.store.rows.get(ID) ?? {};
		const helpers = engine.store.list.filter(({ id }) => id !== ID);
		const isParked = helpers.some((row) => ['new', 'waiting'].includes(row.status));
		const isOrphaned = waitTill === WAIT_INDEFINITELY.getTime() && !isParked;
		play.atKill = { status, resumed: resumptionsOf(play).length, isOrphaned };
		engine.kill();
	};
	const killAndStart = async ({ when, downMs }: Kill) => {
		const over = new AbortController();
		if ('ms' in when) await engine.clock.sleep(when.ms).then(kill);
		else {
			const come = new Promise<void>((resolve) => {
				countdown = when.instants;
				onZero = () => resolve(kill());
			});
			const late = engine.clock.sleep(FOREVER_MS / 24, over.signal).catch(() => {});
			await Promise.race([come, late]);
		}
		over.abort('over');
		if (engine.isUp) return;
		await engine.clock.sleep(downMs);
		engine.boot();
	};
	const all = async () => {
		engine.boot();
		void engine.trigger(workflowOf(plan), itemsOf(plan));
		if (plan.kill) await killAndStart(plan.kill);
		await untilAllEnd(engine);
		const red = engine.store.list.findLast(
			({ status, workflow }) => status === 'crashed' && !workflow.name.endsWith(': watcher'),
		);
		if (red && engine.store.rows.get(ID)?.status === 'waiting') {
			await engine.retry(red.id);
			await untilAllEnd(engine);
		}
		play.left = openIn(engine);
		engine.kill();
	};
	await engine.clock.run(all());
	return play;
}

async function untilAllEnd(engine: VirtualEngine): Promise<void> {
	const deadline = engine.clock.now() + FOREVER_MS;
	do {
		await engine.clock.sleep(POLL_MS);
	} while (openIn(engine).length > 0 && engine.clock.now() < deadline);
}

/** What a person gets who adds *Get Paid Jobs Back* to the workflow, and runs that. */
export async function recover(
	engine: VirtualEngine,
	executionId: string,
	waitForCompletion = false,
): Promise<IDataObject[]> {
	const start = node('Start', 'n8n-nodes-base.noOp');
	const jobs: INode = {
		...node(RECOVER, 'n8n-nodes-mediagen.mediaGenImage', {
			resource: 'job',
			operation: 'recover',
			executionId,
			waitForCompletion,
		}),
		credentials: CREDENTIALS,
	};
	const workflow = { id: 'workflow', name: RECOVER, nodes: [start, jobs] };
	const connections = chained(workflow.nodes);
	const id = await engine.trigger({ ...workflow, connections }, [{ json: {} }]);
	while (engine.store.row(id).status === 'running') await engine.clock.sleep(1000);
	const { resultData } = engine.store.read(id)!;
	if (resultData.error) throw new Error(resultData.error.message);
	return resultData.runData[RECOVER]?.[0]?.data?.main[0]?.map(({ json }) => json) ?? [];
}

const RECOVER = 'Recover';

export function resumptionsOf({ engine, id }: Pick<ChaosPlay, 'engine' | 'id'>) {
	return engine.resumptions.filter((resumption) => resumption.id === id);
}

export function openIn(engine: VirtualEngine): string[] {
	return engine.store.list
		.filter(({ status }) => ['new', 'running', 'waiting'].includes(status))
		.map(({ id, status, workflow }) => `execution ${id} (${workflow.name}) is ${status}`);
}

/** Names of the user's nodes. */
export const IMAGES = 'Images';
export const PAUSE = 'Pause';

export function workflowOf({
	continueOnFail,
	pauses = false,
	savesProgress,
	timeout = 7200,
}: Pick<ChaosPlan, 'continueOnFail' | 'savesProgress'> &
	Partial<Pick<ChaosPlan, 'timeout' | 'pauses'>>): EngineWorkflow {
	const images: INode = {
		...node(IMAGES, 'n8n-nodes-mediagen.mediaGenImage', {
			resource: 'image',
			operation: 'generate',
			prompt: '={{ $json.prompt }}',
			size: '1:1',
			waitForCompletion: true,
			options: { waitMode: 'durable', timeout },
		}),
		credentials: CREDENTIALS,
		...(continueOnFail && { onError: 'continueRegularOutput' }),
	};
	const nodes = [
		node('Start', 'n8n-nodes-base.noOp'),
		images,
		...(pauses ? [node(PAUSE, 'n8n-nodes-base.wait', { amount: WAIT_SECONDS })] : []),
		node('Done', 'n8n-nodes-base.noOp'),
	];
	return {
		id: 'workflow',
		name: 'Batch',
		nodes,
		connections: chained(nodes),
		settings: { executionOrder: 'v1' as const, saveExecutionProgress: savesProgress },
	};
}

const chained = (nodes: INode[]): IConnections =>
	Object.fromEntries(nodes.slice(1).map((node, index) => [nodes[index]!.name, to(node)]));

/** From each output to the next. */
const to = (...nodes: INode[]) => ({
	main: nodes.map(({ name }) => [{ node: name, type: 'main' as const, index: 0 }]),
});

function node(name: string, type: string, parameters: IDataObject = {}): INode {
	return {
		id: name,
		name,
		type,
		typeVersion: 1,
		position: [0, 0],
		parameters: parameters as INode['parameters'],
	};
}
