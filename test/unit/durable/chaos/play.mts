import { documented } from '../../../../sandbox/documented.mts';
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
import { creationNamed } from '../../../support/operations.mts';

/** How things stood when n8n was killed. */
export interface AtKill {
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
	/** At each kill. */
	atKills: AtKill[];
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

/** The prompt of the second node. */
export const moreOf = (prompt: string) => `${prompt} More.`;

/** What comes into the user's workflow. */
export const itemsOf = ({ prompts }: Pick<ChaosPlan, 'prompts'>): INodeExecutionData[] =>
	prompts.map((prompt) => ({ json: { prompt, more: moreOf(prompt) } }));

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
	const facts = { atKills: [], isKeyStored: false, left: [], instants: 0 };
	const play: ChaosPlay = { plan, engine, id: ID, ...facts };
	engine.store.onWrite = (text) => (play.isKeyStored ||= text.includes(key));
	for (const rule of plan.faults) engine.state.faults.add(rule);
	if (plan.hasHistory) addHistory(engine);

	const kill = () => {
		const { status, waitTill } = engine.store.rows.get(ID) ?? {};
		const helpers = engine.store.list.filter(({ id }) => id !== ID);
		const isParked = helpers.some((row) => ['new', 'waiting'].includes(row.status));
		const isOrphaned = waitTill === WAIT_INDEFINITELY.getTime() && !isParked;
		play.atKills.push({ status, resumed: resumptionsOf(play).length, isOrphaned });
		engine.kill();
	};
	const killOnce = async ({ when, downMs }: Kill) => {
		const over = new AbortController();
		if ('ms' in when) await engine.clock.sleep(when.ms).then(kill);
		else {
			const come = new Promise<void>((resolve) => {
				countdown = when.instants;
				onZero = () => resolve(kill());
			});
			const late = engine.clock.sleep(FOREVER_MS / 24, over.signal).catch(() => {});
			await Promise.race([come, late]);
			countdown = 0;
		}
		over.abort('over');
		if (engine.isUp) return;
		await engine.clock.sleep(downMs);
		for (const rule of plan.faultsAtBoot) engine.state.faults.add(rule);
		engine.boot();
	};
	const all = async () => {
		engine.boot();
		void engine.trigger(workflowOf(plan), itemsOf(plan));
		for (const one of plan.kills) await killOnce(one);
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

/** Something that the account made before. */
function addHistory(engine: VirtualEngine): void {
	const body = { prompt: 'earlier' };
	const facts = {
		idField: 'generation_id',
		operation: documented(creationNamed('image.generate')),
		body,
		credits: 8,
	};
	const job = engine.state.jobs.create(facts);
	const at = engine.clock.now() - 3_600_000;
	Object.assign(job, { createdAt: at, startsAt: at, endsAt: at });
}

/** Names of the user's nodes. */
export const IMAGES = 'Images';
export const MORE_IMAGES = 'More Images';
export const PAUSE = 'Pause';
const BATCHES = 'Batches';

/** Items of one round of a loop. */
export const ROUND = 5;

const of = (field: string) => `={{ $('Start').all()[$itemIndex].json.${field} }}`;

export function workflowOf({
	continueOnFail,
	then,
	savesProgress,
	timeout = 7200,
}: Pick<ChaosPlan, 'continueOnFail' | 'then' | 'savesProgress'> &
	Partial<Pick<ChaosPlan, 'timeout'>>): EngineWorkflow {
	const images = (name: string, prompt: string): INode => ({
		...node(name, 'n8n-nodes-mediagen.mediaGenImage', {
			resource: 'image',
			operation: 'generate',
			prompt,
			size: '1:1',
			waitForCompletion: true,
			options: { waitMode: 'durable', timeout },
		}),
		credentials: CREDENTIALS,
		...(continueOnFail && { onError: 'continueRegularOutput' }),
	});
	const start = node('Start', 'n8n-nodes-base.noOp');
	const done = node('Done', 'n8n-nodes-base.noOp');
	const inner = {
		end: [images(IMAGES, of('prompt'))],
		wait: [
			images(IMAGES, of('prompt')),
			node(PAUSE, 'n8n-nodes-base.wait', { amount: WAIT_SECONDS }),
		],
		again: [images(IMAGES, of('prompt')), images(MORE_IMAGES, of('more'))],
		loop: [node(BATCHES, 'n8n-nodes-base.splitInBatches', { batchSize: ROUND })],
	}[then];
	const looped = images(IMAGES, '={{ $json.prompt }}');
	const isLoop = then === 'loop';
	return {
		id: 'workflow',
		name: 'Batch',
		nodes: [start, ...inner, ...(isLoop ? [looped] : []), done],
		connections: {
			...chained([start, ...inner, done]),
			...(isLoop && { [BATCHES]: to(done, looped), [IMAGES]: to(...inner) }),
		},
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
