import { REAL_CLOCK, type Clock } from '../../sandbox/clock.mts';
import { lapsedTime, type TimeLapse } from '../../tools/lib/lapsedTime.cjs';

/** A clock whose time passes faster than the machine's, for all that has to agree with such an n8n. */
export class LapsedClock implements Clock {
	private pace: TimeLapse;

	/** @param start as fast as the machine's, from now on, when left out */
	constructor(start?: TimeLapse) {
		this.pace = start ?? { factor: 1, anchor: REAL_CLOCK.now() };
	}

	/** How fast time passes at present. */
	get timeLapse(): TimeLapse {
		return this.pace;
	}

	/** Lets time pass `factor` times as fast from now on. */
	change(factor: number): void {
		const since = REAL_CLOCK.now();
		this.pace = { factor, since, anchor: lapsedTime(this.pace).at(since) };
	}

	now(): number {
		return Math.floor(lapsedTime(this.pace).at(REAL_CLOCK.now()));
	}

	async sleep(ms: number): Promise<void> {
		await REAL_CLOCK.sleep(lapsedTime(this.pace).real(ms));
	}
}

export const lapsedClock = (timeLapse: TimeLapse): Clock => new LapsedClock(timeLapse);
