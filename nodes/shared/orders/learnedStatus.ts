import type { Clock } from '../clock/clock';
import { callLimit, type CallLimit } from '../account/callLimit';

/** How long jobs of a family are not looked for after one was found nowhere, ms; the service may be late, or change. */
export const IN_VAIN_MS = 300_000;

/** Where jobs are read whose status path is not documented, as the first of a family has shown. */
export class LearnedStatus {
	private readonly places = new Map<string, string>();

	/** When a job of the family was found nowhere, elapsed ms. */
	private readonly inVainAt = new Map<string, number>();

	private readonly turns = new Map<string, CallLimit>();

	constructor(private readonly clock: Clock) {}

	/** The name of the place where jobs of the family were found. */
	of(family: string): string | undefined {
		return this.places.get(family);
	}

	/** @param place its name; `undefined` if the job was found nowhere */
	learn(family: string, place: string | undefined): void {
		if (place === undefined) this.inVainAt.set(family, this.clock.elapsed());
		else this.places.set(family, place);
	}

	/** Whether a job of the family was looked for in vain within the last `IN_VAIN_MS`. */
	isInVain(family: string): boolean {
		return this.clock.elapsed() - (this.inVainAt.get(family) ?? -Infinity) < IN_VAIN_MS;
	}

	/** Lets one job of a family search at a time: the first finds out for all. */
	async inTurn<T>(family: string, work: () => Promise<T>): Promise<T> {
		const turn = this.turns.get(family) ?? callLimit(1);
		this.turns.set(family, turn);
		return await turn(work);
	}
}
