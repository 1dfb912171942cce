import type { Clock } from '../clock/clock';

/** What a look has told holds for so long, ms, and less and less after that. */
const OUTDATED_MS = 15_000;

/** A history that is of no use is not asked for so long, ms. */
const PAUSE_MS = 600_000;

/**
 * Jobs of others that take places of the account, as the last look at the generation history has shown
 * them. Other processes, workflows and people are known by nothing else.
 */
export class ShownOthers {
	/** When each was created, elapsed ms, by its identifier. */
	jobs: ReadonlyMap<string, number> = new Map();

	/** When the history was last asked, elapsed ms. */
	lookedAt = -Infinity;

	private uselessUntil = 0;

	constructor(private readonly clock: Clock) {}

	/** Whether there are any: the history is looked at for them as long as jobs wait. */
	get isAny(): boolean {
		return this.jobs.size > 0;
	}

	/** The history has been of use, as far as it was asked. */
	get isUsable(): boolean {
		return this.clock.elapsed() >= this.uselessUntil;
	}

	/** The history is of no use. */
	giveUp(): void {
		this.uselessUntil = this.clock.elapsed() + PAUSE_MS;
	}

	/** The history was asked so recently that the places it has shown are those of now. */
	isFresh(withinMs: number): boolean {
		return this.clock.elapsed() - this.lookedAt <= withinMs;
	}

	/**
	 * The part of the account's requests that is this process's: as if each job of others were of a process of
	 * its own, and one more waited. They may have stopped since the last look.
	 */
	get share(): number {
		const since = Math.max(0, this.clock.elapsed() - this.lookedAt - OUTDATED_MS);
		const others = this.isAny ? this.jobs.size + 1 : 0;
		return 1 / Math.max(1, (1 + others) / 2 ** (since / OUTDATED_MS));
	}
}
