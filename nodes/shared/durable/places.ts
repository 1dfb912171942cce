import type { Clock } from '../clock/clock';
import type { Slot } from '../jobs/concurrencyLimiter';

/**
 * Places among the running jobs of the account that a worker has for the creations that it has noted:
 * held while n8n stores the note, in the process that got them.
 */

/** An execution that has been stopped meanwhile does not come for them, ms. */
const HELD_MS = 30_000;

interface Held {
	slots: Slot[];
	taken: AbortController;
}

/** By execution. */
const held = new Map<string, Held>();

/** Keeps places for the next tick of a worker. */
export function holdPlaces(worker: string, slots: Slot[], clock: Clock): void {
	const taken = new AbortController();
	held.set(worker, { slots, taken });
	clock.sleep(HELD_MS, taken.signal).then(
		() => releasePlaces(worker),
		() => {},
	);
}

/** The places that a worker has; they are its own to give back from then on. */
export function takePlaces(worker: string): Slot[] {
	const { slots = [], taken } = held.get(worker) ?? {};
	held.delete(worker);
	taken?.abort();
	return slots;
}

/** Gives back what a worker has: it creates nothing. */
export function releasePlaces(worker: string): void {
	for (const slot of takePlaces(worker)) slot.release();
}
