import { isNotSent, isRefusal, ServiceError } from '../service/serviceError';
import { NOT_FOUND } from '../spec/answers';

/** How many polls in a row have a fault before a person is told: one that may pass, and one that does not. */
const AFTER = { passing: 3, lasting: 1 } as const;

/** After that, a person is told again each time this many polls have had a fault. */
const AGAIN_AFTER = 30;

/** Faults within this time count as one, in ms: n8n tries to register for 15 s and more; polls are 60 s apart. */
const ONE_MOMENT_MS = 45_000;

/** Why a poll could not do all of its work. */
export interface Fault {
	error: unknown;
	/** `noTurn`: other requests of the account came first, which says nothing about the service. */
	kind: keyof typeof AFTER | 'noTurn';
}

/**
 * The faults of lists. An account may lack a list that is documented (404): the others can still be watched.
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
 * What has led to a poll: a person has activated the workflow or published an edit, n8n has started, or a poll
 * was due.
 */
export type Cause = 'activation' | 'edit' | 'start' | 'time';

export class FaultsInARow {
	private count = 0;
	/** When a fault was last counted, elapsed ms. */
	private countedAt = -Infinity;

	/**
	 * The fault of a poll that a person should be told of now, if any. It keeps n8n from activating the workflow or
	 * publishing the edit; at other times it makes a failed execution and starts the error workflow. When n8n starts,
	 * none is told: n8n would give up the trigger, and nobody is there to see it.
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

	/** Faults of one moment count as one, since n8n tries several times to register a trigger. */
	private add(now: number): void {
		if (Math.abs(now - this.countedAt) < ONE_MOMENT_MS) return;
		this.count += 1;
		this.countedAt = now;
	}
}
