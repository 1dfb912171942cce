import { lapsedTime, TIME_LAPSE } from '../../tools/lib/lapsedTime.mts';

/**
 * In engine tests, time passes faster: the waits between polls and tries are most of what a node does. Jest has
 * taken its own clock and timers before this file runs.
 */

const { now } = Date;
const startTimer = setTimeout;
const lapse = lapsedTime({ factor: TIME_LAPSE, anchor: now() });

Date.now = () => lapse.at(now());

// It is the one of the whole process, so it is not changed itself.
const machine = performance;
globalThis.performance = Object.create(machine, {
	now: { value: () => machine.now() * TIME_LAPSE },
});

globalThis.setTimeout = ((act: () => void, ms = 0) =>
	startTimer(act, lapse.real(ms))) as typeof setTimeout;
