import { isNotSent, isRefusal, ServiceError } from '../service/serviceError';
import { NOT_FOUND } from '../spec/answers';

/** Polls in a row with a fault before a person hears of it: one that may pass, and one that does not. */
const AFTER = { passing: 3, lasting: 1 } as const;

/** After that, a person hears of it at every so many polls. */
const AGAIN_AFTER = 30;

/** Between two polls there are at least 60 s; n8n tries to register for 15 s, and the tries take time. */
const ONE_MOMENT_MS = 45_000;

/** Why a poll could not do all of its work. */
export interface Fault {
	error: unknown;
	/** `noTurn`: other requests of the account came first, which says nothing of the service. */
	kind: keyof typeof AFTER | 'noTurn';
}

/**
 * The faults of lists: the document has all lists, but an account that lacks one can still be watched by
 * the others.
 *
 * @param lists how many lists were read
 */
export function faultsOfLists(errors: readonly unknown[], lists: number): Fault[] {
	const others = errors.filter(
		(error) => !(error instanceof ServiceError && error.status === NOT_FOUND),
	);
	const all = others.length === 0 && errors.length === lists ? errors : others;
	return all.map((error) => ({ error, kind: kindOf(error) }));
}

function kindOf(error: unknown): Fault['kind'] {
	if (isNotSent(error)) return 'noTurn';
	return !(error instanceof ServiceError) || isRefusal(error) ? 'lasting' : 'passing';
}

/**
 * What has led to a poll: a person has activated the workflow or published an edit, n8n has started, or it
 * was time.
 */
export type Cause = 'activation' | 'edit' | 'start' | 'time';

export class FaultsInARow {
	private count = 0;
	/** elapsed ms. */
	private countedAt = -Infinity;

	/**
	 * The fault of a poll that a person should hear of now, if any: n8n does not activate the workflow, or
	 * does not publish the edit; at other times it makes a failed execution, and starts the error workflow.
	 * At its start n8n would give the trigger up, although nobody is there to see it.
	 *
	 * @param now elapsed ms
	 * @param hasItems the poll has something to hand on, so that it cannot fail: the next one can
	 */
	toShow(
		faults: readonly Fault[],
		{ cause, now, hasItems = false }: { cause: Cause; now: number; hasItems?: boolean },
	): Fault | undefined {
		const worst =
			faults.find(({ kind }) => kind === 'lasting') ??
			faults.find(({ kind }) => kind === 'passing');
		if (cause === 'activation') return worst ?? faults[0];
		if (cause === 'edit') return worst?.kind === 'lasting' ? worst : undefined;
		if (cause === 'start') return undefined;
		if (faults.length === 0) this.count = 0;
		if (!worst || worst.kind === 'noTurn') return undefined;
		this.add(now);
		const after = this.count - AFTER[worst.kind];
		if (after < 0 || after % AGAIN_AFTER !== 0) return undefined;
		if (hasItems) this.count -= 1;
		return hasItems ? undefined : worst;
	}

	/** Those of one moment count as one, for n8n tries several times to register a trigger. */
	private add(now: number): void {
		if (Math.abs(now - this.countedAt) < ONE_MOMENT_MS) return;
		this.count += 1;
		this.countedAt = now;
	}
}
