import {
	ObservableObject,
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type IObservableObject,
	type IPollFunctions,
	type WorkflowActivateMode,
} from 'n8n-workflow';

import { seededRandom, wholeBetween, type Random } from '../../sandbox/random.mts';
import type { SandboxState } from '../../sandbox/state.mts';
import { parametersOf, pollNode } from './product.mts';
import { virtualContext } from './virtualContext.mts';
import type { VirtualClock } from './virtualClock.mts';
import type { VirtualNetwork } from './virtualNetwork.mts';

/** Where the workflows run: the account of the service, and the way to it. */
interface Site {
	clock: VirtualClock;
	network: Pick<VirtualNetwork, 'send'>;
	credential: ICredentialDataDecryptedObject;
	state: SandboxState;
}

interface PollingOptions {
	/** Decides at which second of a minute each workflow polls. */
	seed?: number;
	/** How long n8n says that a poll may take, ms; it does not say when absent. */
	budgetMs?: number;
}

/** An execution that a poll has started. */
interface PolledExecution {
	/** ms since 1970. */
	at: number;
	items: INodeExecutionData[];
}

/** A poll that has thrown, which n8n shows as a failed execution. */
interface PollFailure {
	at: number;
	error: Error;
}

const MINUTE_MS = 60_000;

/** If an activation fails when n8n starts, it tries again after this time, which doubles each time. */
const RETRY_MS = 1000;
const LONGEST_RETRY_MS = 24 * 3600 * 1000;

let count = 0;

/** Key of the static data of the node. */
const KEY = 'node:MediaGen Trigger';

/**
 * An n8n 2.40 that polls: one context for each registration, a first poll when a workflow is
 * registered, then one every minute whether or not the last has ended. All is in one process.
 */
export class VirtualPolling {
	/** All workflows, active or not. */
	readonly workflows: PollingWorkflow[] = [];

	/** How many times n8n was started. */
	lives = 1;

	/** Stands for the process that runs now: what a killed one has begun has no effect any more. */
	process = {};

	/** Tells the processes of this n8n from those of others. */
	readonly number = ++count;

	readonly random: Random;

	constructor(
		readonly site: Site,
		readonly options: PollingOptions = {},
	) {
		this.random = seededRandom(options.seed ?? site.state.settings.seed, 'polling');
	}

	/**
	 * @param parameters of the node
	 * @param everyMinutes Poll Times
	 * @param evaluated values in place of saved ones that only an expression can give
	 */
	add(
		parameters: IDataObject = {},
		everyMinutes = 1,
		evaluated: IDataObject = {},
	): PollingWorkflow {
		const id = `w${this.workflows.length + 1}`;
		const workflow = new PollingWorkflow(this, id, parameters, everyMinutes * MINUTE_MS, evaluated);
		this.workflows.push(workflow);
		return workflow;
	}

	/** `kill -9`, and a start some time later. */
	async restart(downMs = 0): Promise<void> {
		this.process = {};
		for (const workflow of this.workflows) workflow.die();
		await this.site.clock.sleep(downMs);
		this.lives += 1;
		await Promise.all(this.workflows.map(async (workflow) => await workflow.start()));
	}

	/** Ends all polls. */
	stop(): void {
		for (const workflow of this.workflows) workflow.deactivate();
	}
}

/** What n8n holds about a workflow whose trigger is registered. */
interface Registration {
	context: IPollFunctions;
	staticData: IDataObject;
	/** Aborted to end its polls. */
	over: AbortController;
}

/** A workflow with this package's trigger. */
export class PollingWorkflow {
	/** What its polls have started. */
	readonly executions: PolledExecution[] = [];

	/** Polls that have thrown, including those at a start of n8n, which nobody was there to see. */
	readonly failures: PollFailure[] = [];

	/** What the node has written to n8n's log. */
	readonly messages: string[] = [];

	/** When polls began, ms since 1970. */
	readonly polls: number[] = [];

	/** Polls that began before the last had ended. */
	overlaps = 0;

	/** Whether a person wants it to be active. */
	isActive = false;

	/** Static data in n8n's database, as JSON. */
	stored = '{}';

	/** Whether n8n is registering it just now. */
	isRegistering = false;

	private registration?: Registration;
	/** When polls begin within each interval, ms. */
	private readonly phaseMs: number;
	private inFlight = 0;

	constructor(
		private readonly n8n: VirtualPolling,
		readonly id: string,
		public parameters: IDataObject,
		private readonly everyMs: number,
		private readonly evaluated: IDataObject,
	) {
		this.phaseMs = 1000 * wholeBetween(n8n.random, 0, everyMs / 1000 - 1);
	}

	/** Items of all executions. */
	get items(): INodeExecutionData[] {
		return this.executions.flatMap(({ items }) => items);
	}

	/**
	 * A person switches it on.
	 *
	 * @throws the error because of which n8n refuses to
	 */
	async activate(): Promise<void> {
		this.isActive = true;
		await this.registerFor('activate');
	}

	/**
	 * A person publishes a change. Where that fails, n8n switches the workflow off.
	 *
	 * @throws the error because of which it fails
	 */
	async edit(parameters: IDataObject): Promise<void> {
		this.parameters = parameters;
		await this.registerFor('update');
	}

	deactivate(): void {
		this.isActive = false;
		this.die();
	}

	/** *Fetch Test Event*. */
	async fetchTestEvent(): Promise<INodeExecutionData[]> {
		const context = this.contextOf('manual', 'manual', () => ({}));
		const output = await pollNode(context, this.n8n.site.clock);
		return output?.[0] ?? [];
	}

	/** n8n forgets the workflow; what is in its database stays. */
	die(): void {
		this.registration?.over.abort();
		this.registration = undefined;
	}

	/** n8n has started: it registers the workflow if it was active, and tries again later if that fails. */
	async start(): Promise<void> {
		if (!this.isActive) return;
		for (let pauseMs = RETRY_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_RETRY_MS)) {
			const { process } = this.n8n;
			const failed = await this.register('init').then(
				() => undefined,
				(error: Error) => ({ at: this.now(), error }),
			);
			if (!failed) return;
			this.failures.push(failed);
			await this.n8n.site.clock.sleep(pauseMs);
			if (!this.isActive || this.registration || process !== this.n8n.process) return;
		}
	}

	private async registerFor(mode: WorkflowActivateMode): Promise<void> {
		this.die();
		await this.register(mode).catch((error: unknown) => {
			this.deactivate();
			throw error;
		});
	}

	private async register(mode: WorkflowActivateMode): Promise<void> {
		const staticData = observable(this.stored);
		const over = new AbortController();
		const context = this.contextOf('trigger', mode, () => nodeDataIn(staticData));
		const registration = { context, staticData, over };
		this.registration = registration;
		this.isRegistering = true;
		await this.firstPoll(registration)
			.catch((error: unknown) => {
				if (this.registration === registration) this.registration = undefined;
				throw error;
			})
			.finally(() => {
				if (this.registration === registration || !this.registration) this.isRegistering = false;
			});
		if (this.registration !== registration) return;
		this.store(registration);
		void this.keepPolling(registration);
	}

	private async firstPoll({ context, staticData }: Registration): Promise<void> {
		const { process } = this.n8n;
		const items = await this.poll(context);
		// Emits even if somebody has published a change meanwhile.
		if (items && process === this.n8n.process) this.emit(items, staticData);
	}

	private async keepPolling(registration: Registration): Promise<void> {
		const { clock } = this.n8n.site;
		const { phaseMs, everyMs } = this;
		const { signal } = registration.over;
		const untilFirst = everyMs - ((clock.now() + everyMs - phaseMs) % everyMs);
		for (let ms = untilFirst; ; ms = everyMs) {
			const isOver = await clock.sleep(ms, signal).then(
				() => false,
				() => true,
			);
			if (isOver) return;
			void this.tick(registration);
		}
	}

	private async tick(registration: Registration): Promise<void> {
		const { context, staticData } = registration;
		const isCurrent = () => this.registration === registration;
		try {
			const items = await this.poll(context);
			if (isCurrent() && items) this.emit(items, staticData);
		} catch (error) {
			if (isCurrent()) this.failures.push({ at: this.now(), error: error as Error });
		}
	}

	private async poll(context: IPollFunctions): Promise<INodeExecutionData[] | undefined> {
		this.polls.push(this.now());
		if (this.inFlight > 0) this.overlaps += 1;
		this.inFlight += 1;
		try {
			const output = await pollNode(context, this.n8n.site.clock);
			return output?.[0];
		} finally {
			this.inFlight -= 1;
		}
	}

	private emit(items: INodeExecutionData[], staticData: IDataObject): void {
		this.store({ staticData });
		this.executions.push({ at: this.now(), items });
	}

	private store({ staticData }: Pick<Registration, 'staticData'>): void {
		if (staticData.__dataChanged !== true) return;
		this.stored = JSON.stringify(staticData);
		staticData.__dataChanged = false;
	}

	private contextOf(
		mode: 'trigger' | 'manual',
		activation: WorkflowActivateMode,
		staticData: () => IDataObject,
	): IPollFunctions {
		const { n8n, id } = this;
		const { network, credential } = n8n.site;
		const node: INode = {
			// What a process knows about a workflow is kept by this ID: another process knows nothing.
			id: `${n8n.number} ${n8n.lives}`,
			name: KEY.slice('node:'.length),
			type: 'n8n-nodes-mediagen.mediaGenTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		};
		const values = { ...parametersOf('trigger', this.parameters, node), ...this.evaluated };
		const context = virtualContext({
			network,
			credential,
			items: [],
			kind: 'trigger',
			parameters: this.parameters,
			node,
			memory: {},
			executionId: '',
			mode,
			hints: [],
			messages: this.messages,
			engine: {
				getNodeParameter: ((name: string, fallback?: unknown) =>
					name in values ? values[name as keyof typeof values] : fallback) as never,
				getWorkflow: () => ({ id, name: id, active: true }) as never,
				getWorkflowStaticData: () => staticData(),
			},
		});
		const { budgetMs } = n8n.options;
		return Object.assign(context as unknown as IPollFunctions, {
			getActivationMode: () => activation,
			...(budgetMs !== undefined && { getPollBudgetMs: () => budgetMs }),
		});
	}

	private now = () => this.n8n.site.clock.now();
}

/** Static data of a workflow as n8n holds it, which notes when it is changed. */
function observable(stored: string): IDataObject {
	const data = JSON.parse(stored) as IDataObject;
	return ObservableObject.create(data, undefined, { ignoreEmptyOnFirstChild: true });
}

function nodeDataIn(staticData: IDataObject): IDataObject {
	staticData[KEY] ??= ObservableObject.create({}, staticData as IObservableObject);
	return staticData[KEY] as IDataObject;
}
