import type { Clock } from '../clock/clock';
import { callLimit, type CallLimit } from '../service/callLimit';

/** How long a place that answered no is not asked again, ms; no longer, since a service may be late, or change. */
export const REFUSED_MS = 300_000;

/** How the status of a family's jobs is read, as it was found out. */
export interface Learned {
	/** A step of `STATUS_LADDER`; or `set`, for what is set in the credential. */
	step: string;
	/** Name of the identifier that the path takes, in the answer to a creation. */
	idField?: string;
	/** The path that is set, or that of the link. */
	path?: string;
	/** The list shows the jobs under the identifier by which they are known here. */
	listsSameId?: boolean;
}

/** What was found out, by family, about reading the status of jobs whose status path is not documented. */
export class LearnedStatus {
	private readonly found = new Map<string, Learned>();

	/** When a step answered no, elapsed ms. */
	private readonly refusedAt = new Map<string, number>();

	private readonly turns = new Map<string, CallLimit>();

	/** @param others what was learned elsewhere, which counts where nothing was learned here */
	constructor(
		private readonly clock: Clock,
		private readonly others?: LearnedStatus,
	) {}

	of(family: string): Learned | undefined {
		return this.found.get(family) ?? this.others?.of(family);
	}

	learn(family: string, learned: Learned): void {
		this.found.set(family, learned);
	}

	/** @param key of the step that answered no */
	refuse(family: string, key: string): void {
		this.refusedAt.set(`${family} ${key}`, this.clock.elapsed());
	}

	isRefused(family: string, key: string): boolean {
		const at = this.refusedAt.get(`${family} ${key}`) ?? -Infinity;
		return this.clock.elapsed() - at < REFUSED_MS;
	}

	/** Whether a job of the family was looked for in vain within the last `REFUSED_MS`, and none was ever found. */
	hasFailed(family: string): boolean {
		const since = this.clock.elapsed() - REFUSED_MS;
		const isOne = ([key, at]: [string, number]) => key.startsWith(`${family} `) && at > since;
		return !this.of(family) && [...this.refusedAt].some(isOne);
	}

	/** Lets one job of a family search at a time: the first finds out for all. */
	async inTurn<T>(family: string, work: () => Promise<T>): Promise<T> {
		const turn = this.turns.get(family) ?? callLimit(1);
		this.turns.set(family, turn);
		return await turn(work);
	}
}

/** What runs have learned for themselves alone, about jobs that a person names, or has ordered before. */
const ofRuns = new WeakMap<object, LearnedStatus>();

/** What a run has learned for itself alone. */
export function learnedByRun(run: object, clock: Clock, others: LearnedStatus): LearnedStatus {
	const own = ofRuns.get(run) ?? new LearnedStatus(clock, others);
	ofRuns.set(run, own);
	return own;
}
