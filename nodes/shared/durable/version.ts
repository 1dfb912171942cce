/**
 * The version of what durable runs park in n8n's database: the states of worker and supervisor, the
 * run handle, the input of `resume`. To be raised whenever the shape or the meaning of one of them changes. A run that another
 * version has parked is refused, and its paid jobs are named (`otherVersion.ts`).
 *
 * What a refusal reads stays as it is in all versions: `version`, `caller`, the run handle,
 * `worker` of a supervisor, `error` of the input of `resume`, and in the ledger the `job.id` of each entry.
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
