import type { IRunExecutionData } from 'n8n-workflow';

import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { VirtualCluster } from '../../support/virtualCluster.mts';
import { itemsOf, IMAGES, workflowOf } from './chaos/play.mts';
import { creationNamed } from '../../support/operations.mts';
import { endProcess, intentsIn } from '../../support/product.mts';

/** n8n in queue mode: processes are killed or stand still, and n8n drops what it had stored of what they ran. */

const MINUTE = 60_000;

const FOREVER_MS = 24 * 60 * MINUTE;

/** n8n notices so long after a process has died, ms. */
export const DROPPED_AFTER_MS = 90_000;

/** What n8n then has of an execution (`WorkflowRunner.processError`). */
export const DROPPED = JSON.stringify({
	resultData: {
		error: { message: 'job stalled more than maxStalledCount', name: 'Error' },
		runData: {},
	},
	executionData: { contextData: {}, nodeExecutionStack: [] },
});

/** What a creation says of itself that may have been made, or not. */
const DOUBT = 'may exist, and may have been paid for';

const ID = '1';

type Process = ReturnType<VirtualCluster['start']>;

export interface QueueOptions {
	key: string;
	prompts: string[];
	settings?: SandboxSettingsInput;
	/** How far the clocks of its machines are ahead of that of the main process, in turn, ms. */
	aheadMs?: readonly number[];
	onInstant?: (queue: Queue, process: Process) => void;
}

export class Queue {
	readonly cluster: VirtualCluster;
	readonly processes: Process[] = [];
	readonly dead = new Set<Process>();

	constructor(private readonly options: QueueOptions) {
		endProcess();
		const { key, settings } = options;
		const credits = { purchased: 1_000_000 };
		this.cluster = new VirtualCluster({ settings: { seed: 1, key, credits, ...settings } });
		for (let count = 0; count < 3; count++) this.start();
	}

	start(): void {
		const { aheadMs = [0], onInstant } = this.options;
		const ahead = aheadMs[this.processes.length % aheadMs.length];
		const process: Process = this.cluster.start(() => onInstant?.(this, process), ahead);
		this.processes.push(process);
	}

	/** Starts the batch. */
	trigger(): void {
		const workflow = workflowOf({ continueOnFail: true, then: 'end', savesProgress: false });
		void this.processes[0]!.trigger(workflow, itemsOf({ prompts: this.options.prompts }));
	}

	/** Nothing that is due begins for so long, ms. */
	busy(ms: number): void {
		this.cluster.busyUntil = this.elapsed + ms;
	}

	/** Whether the latest in a role is parked for later. */
	isParked(role: string): boolean {
		const { status, waitTill } = this.cluster.inRole(role).at(-1) ?? {};
		return status === 'waiting' && Number(waitTill) > this.cluster.clock.now();
	}

	usedByOthers(): void {
		const { state } = this.cluster;
		const body = { prompt: `somebody else's ${state.jobs.list.length}` };
		state.jobs.create({
			idField: 'generation_id',
			operation: creationNamed('image.generate'),
			body,
			credits: 8,
		});
	}

	/** Somebody else makes a picture with the account, every so often. */
	async useElsewhere(everyMs: number, forMs = 3 * 60 * MINUTE): Promise<void> {
		const { clock } = this.cluster;
		while (clock.elapsed() < forMs) {
			await clock.sleep(everyMs);
			this.usedByOthers();
		}
	}

	get elapsed(): number {
		return this.cluster.clock.elapsed();
	}

	/** IDs in a role, oldest first. */
	ids = (role: string) => this.cluster.inRole(role).map(({ id }) => id);

	/** Not promised: a worker that may still create in this tick stands still. */
	isAboutToCreate(process: Process): boolean {
		const paid = this.cluster.state.jobs.list.map(({ body }) => body.prompt);
		return process.running().some((id) => {
			const data = this.cluster.store.read(id) as IRunExecutionData | undefined;
			return intentsIn(data, IMAGES).some((item) => !paid.includes(this.options.prompts[item]!));
		});
	}

	/** `kill -9`; n8n drops what that ran, and another process is started in its place. */
	kill(process: Process, droppedAfterMs = DROPPED_AFTER_MS): void {
		const ran = process.running();
		this.dead.add(process);
		process.kill();
		this.start();
		void this.dropLater(ran, droppedAfterMs);
	}

	/** Stands still; where that takes long, n8n drops what it runs. */
	freeze(process: Process, ms: number, droppedAfterMs = DROPPED_AFTER_MS): void {
		const ran = process.running();
		process.pausable.stop();
		void this.cluster.clock.sleep(ms).then(() => process.pausable.goOn());
		if (ms > droppedAfterMs) void this.dropLater(ran, droppedAfterMs);
	}

	private async dropLater(ids: readonly string[], ms: number): Promise<void> {
		await this.cluster.clock.sleep(ms);
		const { store } = this.cluster;
		for (const id of ids) {
			if (store.rows.get(id)?.status !== 'running') continue;
			store.settle(id, { status: 'error', waitTill: null, data: DROPPED });
		}
	}

	/** Executions that have not ended, but for those that have died with their process. */
	open(): string[] {
		const alive = this.processes.filter((process) => !this.dead.has(process));
		return this.cluster.store.list.flatMap(({ id, status, workflow: { name } }) => {
			const isOpen = status === 'waiting' || alive.some((process) => process.runs(id));
			return isOpen ? [`execution ${id} (${name}) is ${status}`] : [];
		});
	}

	async untilEnd(ms = FOREVER_MS): Promise<void> {
		const end = this.elapsed + ms;
		do await this.cluster.clock.advance(MINUTE);
		while (this.open().length > 0 && this.elapsed < end);
	}

	over(): void {
		for (const process of this.processes) process.kill();
	}

	/** Prompts that have been paid for more than once. */
	twice(): string[] {
		const paid = this.cluster.state.jobs.list.map(({ body }) => String(body.prompt));
		return paid.filter((prompt, index) => paid.indexOf(prompt) < index);
	}

	/** What has come of the batch, by item. */
	items() {
		const { store } = this.cluster;
		return store.read(ID)?.resultData.runData[IMAGES]?.[0]?.data?.main[0] ?? [];
	}

	/** Paid jobs that no output, error or line of the log names, of items that are not said to be in doubt. */
	unnamed(prompts: readonly string[]): string[] {
		const items = this.items();
		const { error = '' } = this.cluster.store.read(ID)!.resultData;
		const told = JSON.stringify([items, error]) + this.cluster.messages.join(' ');
		const isInDoubt = (prompt: string) =>
			JSON.stringify(items[prompts.indexOf(prompt)] ?? '').includes(DOUBT);
		return this.cluster.state.jobs.list.flatMap(({ id, body: { prompt } }) => {
			const isOwn = prompts.includes(String(prompt));
			const isTold = told.includes(id) || isInDoubt(String(prompt));
			return isOwn && !isTold ? [`${id} of ${String(prompt)}`] : [];
		});
	}
}
