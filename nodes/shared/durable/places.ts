import type { Clock } from '../clock/clock';
import type { Place } from '../limits/places';

/**
 * Places among the running jobs of the account that a worker has for the creations that it has noted:
 * held while n8n stores the note, in the process that got them.
 */

/** An execution that has been stopped meanwhile does not come for them, ms. */
const HELD_MS = 30_000;

interface Held {
	places: Place[];
	taken: AbortController;
}

/** By execution. */
const held = new Map<string, Held>();

/** Keeps places for the next tick of a worker. */
export function holdPlaces(worker: string, places: Place[], clock: Clock): void {
	const taken = new AbortController();
	held.set(worker, { places, taken });
	clock.sleep(HELD_MS, taken.signal).then(
		() => releasePlaces(worker),
		() => {},
	);
}

/** The places that a worker has; they are its own to give back from then on. */
export function takePlaces(worker: string): Place[] {
	const { places = [], taken } = held.get(worker) ?? {};
	held.delete(worker);
	taken?.abort();
	return places;
}

/** Gives back what a worker has: it creates nothing. */
export function releasePlaces(worker: string): void {
	for (const place of takePlaces(worker)) place.release();
}
