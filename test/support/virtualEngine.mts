import type { INodeExecutionData } from 'n8n-workflow';

import { seededRandom } from '../../sandbox/random.mts';
import type { SandboxState } from '../../sandbox/state.mts';
import { Life, type Instant } from './engineLife.mts';
import { EngineProcess, newRunData } from './engineProcess.mts';
import { EngineStore, type Row } from './engineStore.mts';
import { copyOf, type EngineWorkflow, type RunData } from './engineTypes.mts';
import { endProcess } from './product.mts';
import { VirtualClock } from './virtualClock.mts';
import { VirtualNetwork, type NetworkOptions } from './virtualNetwork.mts';

export interface EngineOptions extends NetworkOptions {
	/** Where time starts, ms since 1970. */
	startsAt?: number;
	/** When n8n starts after a crash, it finds the log of what ran, and stores the crash with the node. */
	hasLog?: boolean;
	/** Called at every instant; may kill the process. */
	onInstant?: (instant: Instant) => void;
}

/** An execution that was parked, as it was when it was resumed. */
interface Resumption {
	id: string;
	/** ms since 1970. */
	at: number;
	data: RunData;
}

/**
 * An n8n in virtual time that keeps its executions in a database, parks and wakes them up, and can
 * be killed at any instant and started again; modelled on n8n 2.40.7.
 */
export class VirtualEngine {
	/** Time as it passes, for the service and for the machine. */
	readonly clock: VirtualClock;
	readonly network: VirtualNetwork;
	readonly store = new EngineStore();
	readonly messages: string[] = [];
	readonly resumptions: Resumption[] = [];
	private life?: Life;
	private process?: EngineProcess;
	private lives = 0;

	constructor(private readonly options: EngineOptions = {}) {
		this.clock = new VirtualClock(options.startsAt, options.settings?.seed);
		this.network = new VirtualNetwork(this.clock, options);
	}

	/** The sandbox: jobs, charges, journal, faults. */
	get state(): SandboxState {
		return this.network.state;
	}

	get isUp(): boolean {
		return this.life !== undefined;
	}

	/** From now on the credential cannot be used, as when somebody has emptied it. */
	loseCredential(): void {
		if (this.life) this.life.hasNoCredential = true;
	}

	/** Starts n8n. What ran when it was killed has crashed; what is parked is woken up in time. */
	boot(): void {
		const { seed, key } = this.state.settings;
		const number = ++this.lives;
		endProcess();
		this.life = new Life({
			clock: this.clock,
			network: this.network,
			random: seededRandom(seed, `life ${number}`),
			number,
			onInstant: (instant) => this.options.onInstant?.(instant),
		});
		this.markCrashed();
		this.process = new EngineProcess({
			store: this.store,
			life: this.life,
			apiKey: key,
			messages: this.messages,
			onResume: (id, data) =>
				this.resumptions.push({ id, at: this.clock.now(), data: JSON.parse(data) as RunData }),
		});
		this.process.boot();
	}

	/** `kill -9`. */
	kill(): void {
		this.life?.end();
		this.life = undefined;
	}

	private markCrashed(): void {
		for (const row of this.store.list) {
			if (row.status !== 'running') continue;
			row.status = 'crashed';
			const node = this.process?.running.get(row.id)?.node;
			if (this.options.hasLog && node !== undefined) this.amend(row, node);
		}
	}

	/** If this was the first run of the node, n8n notes that it did not finish. */
	private amend(row: Row, node: string): void {
		const data = this.store.read(row.id)!;
		if (data.resultData.runData[node]) return;
		const error = { message: 'Workflow did not finish, possible out-of-memory issue' };
		data.resultData.error = error;
		data.resultData.runData[node] = [{ error }];
		row.data = JSON.stringify(data);
	}

	/** Triggers a workflow; resolves when its execution has been stored. */
	async trigger(workflow: EngineWorkflow, items: INodeExecutionData[]): Promise<string> {
		const [first] = workflow.nodes;
		if (!this.process || !this.isUp || !first) throw new Error('n8n is not running');
		const { id } = await this.process.start(
			{ mode: 'trigger', workflow },
			newRunData(first, items),
		);
		return id;
	}

	/** *Retry execution*: goes on from what is stored, and treats a parked execution as woken up. */
	async retry(id: string): Promise<string> {
		if (!this.process || !this.isUp) throw new Error('n8n is not running');
		const data = this.store.read(id)!;
		const { resultData } = data;
		delete resultData.error;
		const runs = resultData.runData[resultData.lastNodeExecuted ?? ''];
		if (runs?.at(-1)?.error) runs.pop();
		const workflow = copyOf(this.store.row(id).workflow);
		return (await this.process.start({ mode: 'retry', workflow }, data)).id;
	}

	/** Stops a parked execution, as *Stop* in the list of executions does. */
	stop(id: string): void {
		const row = this.store.row(id);
		const data = this.store.read(id)!;
		const message = 'The execution was cancelled manually';
		data.resultData.error = { message, reason: 'manual' };
		this.process?.tracker.forget(id);
		Object.assign(row, { status: 'canceled', waitTill: null, data: JSON.stringify(data) });
	}
}
