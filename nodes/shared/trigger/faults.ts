import { isNotSent, isTooMany, ServiceError } from '../service/serviceError';
import { NOT_FOUND } from '../spec/statuses';

/** Polls in a row with a fault before a person hears of it: one that may pass, and one that does not. */
const PASSING_AFTER = 3;
const LASTING_AFTER = 1;

/** After that, a person hears of it at every so many polls. */
const AGAIN_AFTER = 30;

/** Between two polls there are at least 60 s; n8n tries to register for 15 s, and the tries take time. */
const ONE_MOMENT_MS = 45_000;

/** The faults that the polls of one trigger have met in a row. */
export class FaultsInARow {
	private count = 0;
	/** ms since 1970. */
	private countedAt = -Infinity;

	/**
	 * The fault of a poll that a person should hear of now, if any. n8n makes a failed execution of each,
	 * and starts the error workflow; of one at an edit, that it cannot be published.
	 *
	 * @param now ms since 1970
	 */
	toShow(faults: readonly unknown[], now: number): unknown | undefined {
		const real = faults.filter((fault) => !isNotSent(fault));
		if (faults.length === 0) this.count = 0;
		if (real.length === 0) return undefined;
		this.add(now);
		const lasting = real.find((fault) => !isPassing(fault));
		const after = this.count - (lasting === undefined ? PASSING_AFTER : LASTING_AFTER);
		return after >= 0 && after % AGAIN_AFTER === 0 ? (lasting ?? real[0]) : undefined;
	}

	/** Those of one moment count as one, for n8n tries several times to register a trigger. */
	private add(now: number): void {
		if (Math.abs(now - this.countedAt) < ONE_MOMENT_MS) return;
		this.count += 1;
		this.countedAt = now;
	}

	/** It was not shown: the next poll that has one shows it. */
	putOff(): void {
		this.count -= 1;
	}
}

/**
 * The faults of lists that matter: the document has all lists, but an account that lacks one can still be
 * watched by the others.
 *
 * @param lists how many lists were read
 */
export function faultsThatMatter(faults: readonly unknown[], lists: number): readonly unknown[] {
	const others = faults.filter(
		(fault) => !(fault instanceof ServiceError && fault.status === NOT_FOUND),
	);
	return others.length === 0 && faults.length === lists ? faults : others;
}

function isPassing(fault: unknown): boolean {
	return !(fault instanceof ServiceError) || fault.outcome !== 'refused' || isTooMany(fault);
}
