import { setMaxListeners } from 'node:events';
import type { IHttpRequestOptions } from 'n8n-workflow';

import { wholeBetween, type Random } from '../../sandbox/random.mts';
import type { Clock } from './product.mts';
import { BASE_URL, type RawAnswer, type VirtualNetwork } from './virtualNetwork.mts';

/**
 * An instant in a process at which it can be killed:
 * - `save`: something has been stored in the database
 * - `request`: a request is about to leave the process; `sent`: nothing can hold it back any more
 * - `answer`: an answer has come
 */
export type Instant = 'save' | 'request' | 'sent' | 'answer';

/** How long a read or write of the database takes, and the way from the process to the network, ms. */
const WRITE_MS = { min: 1, max: 4 };
const LEAVE_MS = { min: 0, max: 5 };

/** The part of an address that tells the accounts apart. */
const ACCOUNT = /:\/\/life-\d+-\w+-/;

interface LifeFacts {
	clock: Clock;
	network: VirtualNetwork;
	random: Random;
	/** Number of the process, from 1. */
	number: number;
	/** Called at every instant; it may end the life. */
	onInstant: (instant: Instant) => void;
}

/**
 * A process of n8n, from its start until it is killed. What a killed process has begun never
 * ends: its promises stay pending, its timers vanish, its writes are lost.
 */
export class Life {
	private readonly death = new AbortController();

	constructor(private readonly facts: LifeFacts) {
		setMaxListeners(Infinity, this.death.signal);
	}

	get isOver(): boolean {
		return this.death.signal.aborted;
	}

	end(): void {
		this.death.abort('killed');
	}

	/** Whether the credential has lost its address, so that nobody can sign in to the service. */
	hasNoCredential = false;

	/**
	 * What the executions of a process share is kept by account. So each process gets its own account
	 * for each workflow, and knows nothing that an earlier process knew.
	 */
	baseUrl(workflowId: string): string {
		if (this.hasNoCredential) return '';
		return BASE_URL.replace('://', `://life-${this.facts.number}-${workflowId}-`);
	}

	readonly clock: Clock = {
		now: () => this.facts.clock.now(),
		random: () => this.facts.clock.random(),
		sleep: async (ms, signal) => {
			if (this.isOver) return await never();
			const ends = signal ? AbortSignal.any([signal, this.death.signal]) : this.death.signal;
			const slept = await this.facts.clock.sleep(ms, ends).then(
				() => undefined,
				(reason: unknown) => ({ reason }),
			);
			if (this.isOver) return await never();
			if (slept) throw slept.reason;
		},
	};

	private async instant(which: Instant): Promise<void> {
		if (!this.isOver) this.facts.onInstant(which);
		if (this.isOver) await never();
	}

	/** Writes to the database, and gives the result of `act`. */
	async write<T>(act: () => T): Promise<T> {
		await this.clock.sleep(wholeBetween(this.facts.random, WRITE_MS.min, WRITE_MS.max));
		const result = act();
		await this.instant('save');
		return result;
	}

	/** Reads from the database. */
	async read<T>(act: () => T): Promise<T> {
		await this.clock.sleep(wholeBetween(this.facts.random, WRITE_MS.min, WRITE_MS.max));
		return act();
	}

	/** Sends a request. Once it has left the process, it arrives, even if the process is killed. */
	async send(request: IHttpRequestOptions): Promise<RawAnswer> {
		await this.instant('request');
		await this.clock.sleep(wholeBetween(this.facts.random, LEAVE_MS.min, LEAVE_MS.max));
		const url = request.url.replace(ACCOUNT, '://');
		const answer = this.facts.network.send(Object.assign(request, { url })).then(
			(value) => ({ value }),
			(error: unknown) => ({ error }),
		);
		void answer.then((answered) => {
			if (!this.isOver) this.facts.onInstant('answer');
			// A body that nobody reads would hold the clock.
			if (this.isOver && 'value' in answered) answered.value.body.destroy();
		});
		await this.instant('sent');
		const answered = await answer;
		if (this.isOver) return await never();
		if ('error' in answered) throw answered.error;
		return answered.value;
	}
}

/** A new promise for each caller: a shared one would keep all callers in memory. */
async function never(): Promise<never> {
	return await new Promise<never>(() => {});
}
