/**
 * The version of what durable runs park in n8n's database: the state of work and watch, the stub, the
 * delivery. To be raised whenever the shape or the meaning of one of them changes. A run that another
 * version has parked is refused, and its paid jobs are named (`refuse.ts`).
 *
 * What a refusal reads stays as it is in all versions: `version`, `waiter`, the stub, `worker` of a
 * watch, `error` of a delivery, and in the ledger the `job.id` of each entry.
 */
export const PARKED_VERSION = 1;

/** What is parked says which version has parked it. */
export interface Parked {
	version: number;
}

/** Whether this version has parked it. */
export function isOwnVersion(parked: unknown): boolean {
	return (parked as Partial<Parked> | undefined)?.version === PARKED_VERSION;
}
