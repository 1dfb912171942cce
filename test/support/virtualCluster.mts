import { Readable } from 'node:stream';
import type { INodeExecutionData } from 'n8n-workflow';

import { seededRandom } from '../../sandbox/random.mts';
import { Life } from './engineLife.mts';
import { EngineProcess, newRunData } from './engineProcess.mts';
import { EngineStore } from './engineStore.mts';
import type { EngineWorkflow } from './engineTypes.mts';
import type { Clock } from './product.mts';
import { VirtualClock } from './virtualClock.mts';
import { VirtualNetwork, type NetworkOptions } from './virtualNetwork.mts';

/** A process that can stand still (a paused machine, SIGSTOP): what it waits for arrives once it goes on. */
class PausableProcess {
	private pause: Promise<void> = Promise.resolve();

	private goesOn = () => {};

	isPaused = false;

	stop(): void {
		this.isPaused = true;
		this.pause = new Promise((resolve) => (this.goesOn = resolve));
	}

	goOn(): void {
		this.isPaused = false;
		this.goesOn();
	}

	clockFrom(clock: Clock): Clock {
		return {
			now: () => clock.now(),
			elapsed: () => clock.elapsed(),
			random: () => clock.random(),
			sleep: async (ms, signal) => {
				try {
					await clock.sleep(ms, signal);
				} finally {
					await this.pause;
				}
			},
		};
	}

	networkFrom(network: VirtualNetwork): VirtualNetwork {
		const send: VirtualNetwork['send'] = async (request) => {
			const answer = await network.send(request);
			if (!this.isPaused) return answer;
			// Time stands still until somebody has read the body.
			const body = await answer.body.toArray();
			await this.pause;
			return { ...answer, body: Readable.from(body) };
		};
		return { send } as VirtualNetwork;
	}
}

const isIn = (role: string, { name }: Pick<EngineWorkflow, 'name'>) => name.endsWith(`: ${role}`);

/** Processes of n8n that share one database (queue mode), in virtual time. */
export class VirtualCluster {
	readonly clock: VirtualClock;

	readonly store = new EngineStore();

	private readonly network: VirtualNetwork;

	/** Hints, and the messages to n8n's logs. */
	readonly messages: string[] = [];

	private processes = 0;

	/** Nothing that is due begins before this time, elapsed ms. */
	busyUntil = 0;

	constructor(options: NetworkOptions) {
		this.clock = new VirtualClock(undefined, options.settings?.seed);
		this.network = new VirtualNetwork(this.clock, options);
	}

	/** What has happened at the service. */
	get state() {
		return this.network.state;
	}

	private async untilFree(): Promise<void> {
		for (let ms; (ms = this.busyUntil - this.clock.elapsed()) > 0; ) await this.clock.sleep(ms);
	}

	/**
	 * Starts another process.
	 *
	 * @param onInstant called whenever something has happened in it
	 * @param aheadMs how far the clock of its machine is ahead, ms
	 */
	start(onInstant: () => void = () => {}, aheadMs = 0) {
		const pausable = new PausableProcess();
		const number = ++this.processes;
		const { seed, key } = this.state.settings;
		const life = new Life({
			clock: pausable.clockFrom(this.clock),
			network: pausable.networkFrom(this.network),
			random: seededRandom(seed, `process ${number}`),
			number,
			onInstant,
		});
		const { store, messages } = this;
		const n8n = new EngineProcess({
			store,
			life,
			apiKey: key,
			messages,
			onResume: () => {},
			aheadMs,
			untilFree: async () => await this.untilFree(),
		});
		n8n.boot();
		const trigger = async (workflow: EngineWorkflow, items: INodeExecutionData[]) =>
			await n8n.start({ mode: 'trigger', workflow }, newRunData(workflow.nodes[0]!, items));
		/** Whether it runs an execution in a role, or with an ID. */
		const runs = (wanted: string) =>
			[...n8n.running].some(([id, { workflow }]) => id === wanted || isIn(wanted, workflow));
		/** IDs of the executions that it runs. */
		const running = () => [...n8n.running.keys()];
		/** `kill -9`. */
		const kill = () => life.end();
		return { pausable, trigger, runs, running, kill };
	}

	/** Executions in a role, such as `work`. */
	inRole(role: string) {
		return this.store.list.filter(({ workflow }) => isIn(role, workflow));
	}
}
