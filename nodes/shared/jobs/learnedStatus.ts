import type { Clock } from '../clock/clock';
import { callLimit, type CallLimit } from '../service/callLimit';

/** What has answered no is not asked again for so long, ms: a service may be late, or change. */
const REFUSED_MS = 600_000;

/** How the status of a family's jobs was found to be read. */
export interface Learned {
	/** A step of `STATUS_LADDER`. */
	step: string;
	/** Name of the identifier that the path takes, in the answer to a creation. */
	idField?: string;
	/** Path of the link. */
	link?: string;
	/** The list has the jobs by the identifier by which they are known here. */
	isById?: boolean;
}

/** How an account reads the status of jobs whose path is not documented, by family, as far as it was seen. */
export class LearnedStatus {
	private readonly found = new Map<string, Learned>();

	/** When a step answered no, elapsed ms. */
	private readonly refusedAt = new Map<string, number>();

	private readonly turns = new Map<string, CallLimit>();

	constructor(private readonly clock: Clock) {}

	of(family: string): Learned | undefined {
		return this.found.get(family);
	}

	learn(family: string, learned: Learned): void {
		this.found.set(family, learned);
	}

	/** What was learned does not serve any more. */
	forget(family: string): void {
		const { step = '' } = this.found.get(family) ?? {};
		this.found.delete(family);
		this.refuse(family, step);
	}

	refuse(family: string, step: string): void {
		this.refusedAt.set(`${family} ${step}`, this.clock.elapsed());
	}

	isRefused(family: string, step: string): boolean {
		const at = this.refusedAt.get(`${family} ${step}`) ?? -Infinity;
		return this.clock.elapsed() - at < REFUSED_MS;
	}

	/** One job of a family after another: the first one finds out for all. */
	async inTurn<T>(family: string, work: () => Promise<T>): Promise<T> {
		const turn = this.turns.get(family) ?? callLimit(1);
		this.turns.set(family, turn);
		return await turn(work);
	}
}
