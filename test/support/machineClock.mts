import type { Clock } from '../../nodes/shared/clock/clock.ts';

/** The clock of a machine: its time of day can be set, and then is not that of the service. */
export class MachineClock implements Clock {
	/** How far it is ahead of the service, ms. */
	aheadMs = 0;

	/** @param time what passes, here and at the service */
	constructor(private readonly time: Clock) {}

	readonly now = (): number => this.time.now() + this.aheadMs;

	readonly elapsed = (): number => this.time.elapsed();

	readonly random = (): number => this.time.random();

	readonly sleep: Clock['sleep'] = async (ms, signal) => await this.time.sleep(ms, signal);

	/** Somebody sets it. @param ms forth, or back where negative */
	set(ms: number): void {
		this.aheadMs += ms;
	}
}
