import { isNotSent, isTooMany, ServiceError } from '../service/serviceError';
import { NOT_FOUND } from '../spec/statuses';
import type { Registration } from './registration';

/** Polls in a row with a fault before a person hears of it: one that may pass, and one that does not. */
const PASSING_AFTER = 3;
const LASTING_AFTER = 1;

/** After that, a person hears of it at every so many polls. */
const AGAIN_AFTER = 30;

/**
 * The fault that a person should hear of now, if any. n8n makes a failed execution of each, and starts
 * the error workflow; of one at an edit, that it cannot be published.
 *
 * @param now ms since 1970
 */
export function faultToShow(
	faults: readonly unknown[],
	registration: Registration,
	now: number,
): unknown | undefined {
	const real = faults.filter((fault) => !isNotSent(fault));
	if (faults.length === 0) registration.faults = 0;
	if (real.length === 0) return undefined;
	registration.countFault(now);
	const lasting = real.find((fault) => !isPassing(fault));
	const after = registration.faults - (lasting === undefined ? PASSING_AFTER : LASTING_AFTER);
	return after >= 0 && after % AGAIN_AFTER === 0 ? (lasting ?? real[0]) : undefined;
}

/** The fault for which a workflow is not activated. */
export function faultAtActivation(faults: readonly unknown[], lists: number): unknown | undefined {
	// The document has all lists; an account that lacks one can still be watched by the others.
	const isMissing = (fault: unknown) => fault instanceof ServiceError && fault.status === NOT_FOUND;
	const isWatchable = faults.length < lists && faults.every(isMissing);
	return isWatchable ? undefined : faults[0];
}

function isPassing(fault: unknown): boolean {
	return !(fault instanceof ServiceError) || fault.outcome !== 'refused' || isTooMany(fault);
}
