/** Until when the durable runs of this process are parked, ms since 1970, by ticket. */
const parked = new Map<string, number>();

/** Of a run that was due so long ago, nothing is expected any more, ms. */
const FORGOTTEN_MS = 60_000;

/** @param till when the run is to go on, ms since 1970; 0 when it is not parked any more */
export function noteParked(ticket: string, till: number): void {
	if (till > 0) parked.set(ticket, till);
	else parked.delete(ticket);
}

/** Durable runs of this process that are parked besides one. */
export function othersParked(ticket: string, now: number): number {
	for (const [run, till] of parked) if (till < now - FORGOTTEN_MS) parked.delete(run);
	return parked.size - (parked.has(ticket) ? 1 : 0);
}
