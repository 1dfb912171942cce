import { REAL_CLOCK, type Clock } from '../../sandbox/clock.mts';
import { lapsedTime, type TimeLapse } from '../../tools/lib/lapsedTime.mts';

/** A clock whose time passes faster than the machine's, for all that has to keep time with an n8n that is sped up. */
export function lapsedClock(timeLapse: TimeLapse): Clock {
	const { at, real } = lapsedTime(timeLapse);
	return {
		now: () => Math.floor(at(REAL_CLOCK.now())),
		sleep: async (ms) => await REAL_CLOCK.sleep(real(ms)),
	};
}
