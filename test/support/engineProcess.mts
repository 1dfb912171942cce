import type { ExecuteWorkflowData, INode, INodeExecutionData } from 'n8n-workflow';

import { runNode } from './engineNodes.mts';
import { runStack, type End } from './engineRun.mts';
import type { EngineStore, Row } from './engineStore.mts';
import { copyOf, lastRunOf, type EngineWorkflow, type RunData } from './engineTypes.mts';
import type { Life } from './engineLife.mts';

type Parent = RunData['parentExecution'];

/** What `executeWorkflow` is called with. */
export interface Child {
	code: EngineWorkflow;
	items?: INodeExecutionData[];
	doNotWaitToFinish?: boolean;
	parentExecution?: Parent;
}

/** An execution that runs. */
export interface Running {
	id: string;
	mode: Row['mode'];
	workflow: EngineWorkflow;
	/** Its copy of the data, in memory. */
	data: RunData;
	/** The node that runs. */
	node?: string;
}

/** What surrounds a process, and who observes it. */
export interface ProcessFacts {
	store: EngineStore;
	life: Life;
	apiKey: string;
	/** Receives hints and the messages to n8n's log. */
	messages: string[];
	/** Called when a parked execution goes on, with its data as stored at that moment. */
	onResume: (id: string, data: string) => void;
}

/** What one process of n8n does with executions: runs them, parks them, wakes them up. */
export class EngineProcess {
	/** By ID. */
	readonly running = new Map<string, Running>();
	readonly tracker: WaitTracker;

	constructor(readonly facts: ProcessFacts) {
		this.tracker = new WaitTracker(facts.store, facts.life, (id) => this.resume(id));
	}

	/** What n8n does when it has started: runs what had not begun, and looks for what is due. */
	boot(): void {
		this.tracker.start();
		for (const { id, status } of this.facts.store.list) {
			if (status === 'new') void this.begin(id);
		}
	}

	/** Stores a new execution, and runs it. */
	async start(row: Pick<Row, 'mode' | 'workflow'>, data: RunData) {
		const { store, life } = this.facts;
		const id = await life.write(() => store.create({ ...row, data: JSON.stringify(data) }));
		await life.write(() => store.claim(id, 'new'));
		return { id, end: this.run({ id, ...row, data }) };
	}

	private async begin(id: string): Promise<void> {
		const { store, life } = this.facts;
		const { mode, workflow } = store.row(id);
		const data = store.read(id)!;
		if (!(await life.write(() => store.claim(id, 'new')))) return;
		await this.run({ id, mode, workflow: copyOf(workflow), data });
	}

	/** What `executeWorkflow` does for a node. */
	async executeWorkflow(parent: EngineWorkflow, child: Child): Promise<ExecuteWorkflowData> {
		const workflow = { ...copyOf(child.code), id: child.code.id ?? parent.id };
		const { items = [{ json: {} }], parentExecution } = child;
		const { id, end } = await this.start(
			{ mode: 'integrated', workflow },
			newRunData(startOf(workflow), items, parentExecution),
		);
		if (child.doNotWaitToFinish) return { executionId: id, data: [null] };
		const { data } = await end;
		const { error } = data.resultData;
		if (error) throw Object.assign(new Error(error.message), error);
		return { executionId: id, data: lastRunOf(data)?.data?.main ?? [null] };
	}

	/** Lets a parked execution go on, and then its parent, where the execution asks for that. */
	async resume(id: string): Promise<void> {
		const { store, life, onResume } = this.facts;
		const row = store.rows.get(id);
		if (!(await life.read(() => store.rows.has(id))) || !row) return;
		const { mode, workflow } = row;
		// As in queue mode, where a worker reads an execution only once it has claimed it.
		const data = await life.write(() => {
			if (!store.claim(id, 'waiting')) return undefined;
			const claimed = store.read(id)!;
			this.running.set(id, { id, mode, workflow, data: claimed });
			onResume(id, row.data);
			return claimed;
		});
		if (!data) return;
		const running = this.run({ id, mode, workflow: copyOf(workflow), data });
		void running.then(async (ended) => await this.handBack(ended));
	}

	/** Hands the outcome of a resumed execution to its parent, and resumes the parent. */
	private async handBack({ end, data }: { end: End; data: RunData }): Promise<void> {
		const { parentExecution } = data;
		if (end === 'waiting' || !parentExecution?.shouldResume) return;
		const { store, life } = this.facts;
		const { executionId } = parentExecution;
		const { error } = data.resultData;
		const output = lastRunOf(data)?.data;
		const parent = await life.read(() => store.rows.get(executionId));
		if ((error || output) && parent?.status === 'waiting') {
			const stored = store.read(executionId)!;
			const [entry] = stored.executionData.nodeExecutionStack;
			if (entry && error) entry.metadata = { ...entry.metadata, resumeError: error };
			else if (entry && output) entry.data = output;
			const text = JSON.stringify(stored);
			await life.write(() => Object.assign(parent, { data: text }));
		}
		await this.resume(executionId);
	}

	/** Runs an execution until it ends or parks, and stores the outcome. */
	private async run(running: Running): Promise<{ end: End; data: RunData }> {
		const { store, life } = this.facts;
		const { id, data, workflow } = running;
		this.running.set(id, running);
		const { saveExecutionProgress, saveDataSuccessExecution } = workflow.settings ?? {};
		const end = await runStack({
			workflow,
			data,
			execute: async (entry, runIndex) => await runNode(this, running, entry, runIndex),
			saveProgress: async () => {
				if (!saveExecutionProgress) return;
				const text = JSON.stringify(data);
				await life.write(() => store.progress(id, text));
			},
			onNode: (node) => (running.node = node),
		});
		const text = JSON.stringify(data);
		await life.write(() => {
			if (end === 'success' && saveDataSuccessExecution === 'none') store.rows.delete(id);
			else {
				const waitTill = end === 'waiting' ? Date.parse(data.waitTill ?? '') : null;
				store.settle(id, { status: end, waitTill, data: text });
			}
		});
		this.running.delete(id);
		return { end, data };
	}
}

/** Time between two polls for what is due, and how far ahead each looks, ms. */
const EVERY_MS = 60_000;
const AHEAD_MS = 70_000;

/** Wakes up the executions that wait in the database (n8n's `WaitTracker`). */
class WaitTracker {
	/** Cancel the wake-ups that are planned, by ID of the execution. */
	private readonly timers = new Map<string, AbortController>();

	constructor(
		private readonly store: EngineStore,
		private readonly life: Life,
		private readonly resume: (id: string) => Promise<void>,
	) {}

	start(): void {
		const goOn = async (): Promise<never> => {
			for (;;) {
				void this.look();
				await this.life.clock.sleep(EVERY_MS);
			}
		};
		void goOn();
	}

	forget(id: string): void {
		this.timers.get(id)?.abort();
		this.timers.delete(id);
	}

	private async look(): Promise<void> {
		const { clock } = this.life;
		const due = await this.life.read(() =>
			this.store.list.filter(
				({ status, waitTill }) =>
					status === 'waiting' && waitTill !== null && waitTill <= clock.now() + AHEAD_MS,
			),
		);
		for (const { id, waitTill } of due) {
			if (this.timers.has(id)) continue;
			const timer = new AbortController();
			this.timers.set(id, timer);
			const wake = async () => {
				this.timers.delete(id);
				await this.resume(id);
			};
			clock.sleep(Number(waitTill) - clock.now(), timer.signal).then(wake, () => {});
		}
	}
}

/** An execution that has not begun. */
export function newRunData(
	node: INode,
	items: INodeExecutionData[],
	parentExecution?: Parent,
): RunData {
	return {
		executionData: { contextData: {}, nodeExecutionStack: [{ node, data: { main: [items] } }] },
		resultData: { runData: {} },
		...(parentExecution && { parentExecution }),
	};
}

function startOf({ nodes }: EngineWorkflow): INode {
	const start = nodes.find(({ type }) => type === 'n8n-nodes-base.executeWorkflowTrigger');
	if (!start) throw new Error('There is no trigger for a sub-workflow');
	return start;
}
