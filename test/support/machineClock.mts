import type { Clock } from './product.mts';

/** The clock of a machine: its time of day can be set, and then differs from the service's. */
export class MachineClock implements Clock {
	/** How far it is ahead of the service, ms. */
	aheadMs = 0;

	/** @param time the time that passes, here and at the service */
	constructor(private readonly time: Clock) {}

	readonly now = (): number => this.time.now() + this.aheadMs;

	readonly random = (): number => this.time.random();

	readonly sleep: Clock['sleep'] = async (ms, signal) => await this.time.sleep(ms, signal);

	/** Somebody sets the clock. @param ms forward, or back if negative */
	set(ms: number): void {
		this.aheadMs += ms;
	}
}
