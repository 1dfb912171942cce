import type { Clock } from '../clock/clock';
import type { Granted } from './requests';

/** What the history tells of a job. */
export interface News {
	state: string;
	record: Record<string, unknown>;
}

/** What a look at the history has shown: jobs by identifier, and how many jobs of others run. */
export interface Shown {
	news: ReadonlyMap<string, News>;
	others: number;
}

/** What can look at the history for all that share the account: a run does (orders/history.ts, `readHistory`). */
export interface Looker {
	/** @returns `useless` where there is none, `unknown` where the limits, or a stop, prevented it */
	readHistory(granted: Granted): Promise<Shown | 'useless' | 'unknown'>;
}

/** How long a history that cannot be read is not asked, in ms. */
const USELESS_MS = 600_000;

/** An answer that takes longer is not waited for, in ms. */
const SLOW_MS = 3000;

/** Looks at the history of an account, and whether it can be asked, which is not documented. Times: ms since 1970. */
export class Looks {
	private uselessUntil = 0;

	/** When the look under way was sent. */
	private askedAt?: number;

	constructor(private readonly clock: Clock) {}

	/** It may be asked: it was not of no use lately, and no look is slow. */
	get isUsable(): boolean {
		const now = this.clock.now();
		return now >= this.uselessUntil && now < (this.slowAt ?? Infinity);
	}

	/** When a look under way is slow; `undefined` where none is under way. */
	get slowAt(): number | undefined {
		return this.askedAt === undefined ? undefined : this.askedAt + SLOW_MS;
	}

	/** @returns `undefined` if the look was prevented */
	async look(run: Looker, granted: Granted): Promise<Shown | undefined> {
		this.askedAt = this.clock.now();
		// Nobody would catch an error: whatever goes wrong in reading an answer makes the history useless.
		const shown = await run.readHistory(granted).catch(() => 'useless' as const);
		this.askedAt = undefined;
		if (shown === 'useless') this.uselessUntil = this.clock.now() + USELESS_MS;
		return typeof shown === 'object' ? shown : undefined;
	}
}
