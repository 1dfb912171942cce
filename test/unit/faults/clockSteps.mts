import type { MachineClock } from '../../support/machineClock.mts';
import type { VirtualClock } from '../../support/virtualClock.mts';
import type { Draw } from './draw.mts';

/** Somebody, or a time server, sets the clock of the machine. */
export interface ClockStep {
	/** After the start, ms. */
	atMs: number;
	/** Forth, or back where negative, ms. */
	ms: number;
}

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Mostly while the first jobs run, by seconds, minutes or hours. */
export function drawClockSteps(draw: Draw): ClockStep[] {
	return draw.list(draw.pick([0, 1, 1, 2, 3]), () => ({
		atMs: draw.skewed(0, draw.pick([20 * SECOND, 20 * SECOND, 5 * MINUTE])),
		ms:
			draw.pick([-1, -1, 1]) *
			draw.pick([draw.whole(1, 50) * SECOND, draw.whole(1, 50) * MINUTE, draw.whole(1, 3) * HOUR]),
	}));
}

/** Sets the clock as time goes by. */
export function playClockSteps(
	time: VirtualClock,
	machine: MachineClock,
	steps: readonly ClockStep[],
): void {
	for (const { atMs, ms } of steps) void time.sleep(atMs).then(() => machine.set(ms));
}

/** How far it is set forth in all, ms. */
export const forthMs = (steps: readonly ClockStep[]): number =>
	steps.reduce((sum, { ms }) => sum + Math.max(0, ms), 0);

/** Then requests may come sooner than a minute after others, as after a sleep of the machine. */
export const isSetForth = (steps: readonly ClockStep[]): boolean => forthMs(steps) > 0;
