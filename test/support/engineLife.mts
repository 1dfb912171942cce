import { setMaxListeners } from 'node:events';
import type { IHttpRequestOptions } from 'n8n-workflow';

import type { Clock } from '../../nodes/shared/clock/clock.ts';
import { wholeBetween, type Random } from '../../sandbox/random.mts';
import { BASE_URL, type RawAnswer, type VirtualNetwork } from './virtualNetwork.mts';

/**
 * What happens in a process at an instant, after which it can be killed:
 * - `save`: something is in the database
 * - `request`: a request leaves the process, `sent`: nothing can hold it back any more
 * - `answer`: an answer has come
 */
export type Instant = 'save' | 'request' | 'sent' | 'answer';

/** One write to the database, and one way from the process to the network, ms. */
const WRITE_MS = { min: 1, max: 4 };
const LEAVE_MS = { min: 0, max: 5 };

/** What tells the accounts apart in an address. */
const ACCOUNT = /:\/\/life-\d+-\w+-/;

interface LifeFacts {
	clock: Clock;
	network: VirtualNetwork;
	random: Random;
	/** Which one it is, from 1. */
	number: number;
	/** Told of every instant; it may end the life. */
	onInstant: (instant: Instant) => void;
}

/**
 * A process of n8n, from its start until it is killed. Whatever the dead one has begun never comes
 * to an end: its promises stay pending, its timers vanish, its writes are lost.
 */
export class Life {
	private readonly death = new AbortController();

	/** Its elapsed time begins anew with each process. */
	private readonly bornAt: number;

	constructor(private readonly facts: LifeFacts) {
		this.bornAt = facts.clock.elapsed();
		setMaxListeners(Infinity, this.death.signal);
	}

	get isOver(): boolean {
		return this.death.signal.aborted;
	}

	end(): void {
		this.death.abort('killed');
	}

	/** Nobody can sign in at the service any more. */
	hasNoCredential = false;

	/**
	 * What all executions of the process share is kept by account: each process has an account of its
	 * own for each workflow, so that none knows what the one before it knew.
	 */
	baseUrl(workflowId: string): string {
		if (this.hasNoCredential) return '';
		return BASE_URL.replace('://', `://life-${this.facts.number}-${workflowId}-`);
	}

	readonly clock: Clock = {
		now: () => this.facts.clock.now(),
		elapsed: () => this.facts.clock.elapsed() - this.bornAt,
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

	/** Writes to the database, and gives what that gives. */
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

	/** What has left the process arrives, whether that still lives or not. */
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

/** One of its own for each who waits, lest it keeps them all. */
async function never(): Promise<never> {
	return await new Promise<never>(() => {});
}
