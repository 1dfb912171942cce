import type { Clock } from '../clock/clock';
import type { TrustGrade } from '../plan/reads';

/** What a look has told holds for so long, ms, and less and less after that. */
const OUTDATED_MS = 15_000;

/** A history that is of no use is not asked for so long, and one that was wrong not believed, ms. */
const PAUSE_MS = 600_000;

/**
 * An entry counts once so many in a row have told the same as the job's own status; after each difference, it takes as
 * many more.
 */
const ENOUGH = 3;

/**
 * What the generation history of an account has shown, and how far it is believed. Other processes, workflows and
 * people are known by nothing else.
 */
export class ShownHistory {
	/** When jobs of others that take places were created, elapsed ms, by identifier. */
	others: ReadonlyMap<string, number> = new Map();

	/** When it was last asked, elapsed ms. */
	lookedAt = -Infinity;

	/** When the request was sent that is under way, elapsed ms. */
	askedAt?: number;

	/** Drawn for each look, from -1 to 1. */
	chance: number;

	private uselessUntil = 0;

	/** How many entries in a row have told the same, by the kind of their jobs. */
	private agreed = new Map<string, Record<TrustGrade, number>>();

	private differences = 0;

	private distrustedUntil = 0;

	constructor(private readonly clock: Clock) {
		this.chance = this.draw();
	}

	/** It is asked. */
	ask(): void {
		this.askedAt = this.clock.elapsed();
		this.chance = this.draw();
	}

	/** The request is over, whatever came of it. */
	answered(): void {
		this.lookedAt = this.askedAt ?? this.clock.elapsed();
		this.askedAt = undefined;
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
		const others = this.others.size > 0 ? this.others.size + 1 : 0;
		return 1 / Math.max(1, (1 + others) / 2 ** (since / OUTDATED_MS));
	}

	/** An entry has told when its job had ended (`when`), or also what it came to (`what`). */
	agree(kind: string, grade: TrustGrade): void {
		const { when, what } = this.agreed.get(kind) ?? { when: 0, what: 0 };
		this.agreed.set(kind, { when: when + 1, what: grade === 'what' ? what + 1 : 0 });
	}

	/** It has told something else than the service itself: nothing of it is believed for a while. */
	differ(): void {
		this.agreed = new Map();
		this.differences += 1;
		this.distrustedUntil = this.clock.elapsed() + PAUSE_MS;
	}

	/** It has been found to tell something else. */
	get isDistrusted(): boolean {
		return this.clock.elapsed() < this.distrustedUntil;
	}

	/** What entries of the kind are good for. */
	gradeOf(kind: string): TrustGrade | undefined {
		if (this.isDistrusted) return undefined;
		const { when = 0, what = 0 } = this.agreed.get(kind) ?? {};
		const enough = ENOUGH * (1 + this.differences);
		if (what >= enough) return 'what';
		return when >= enough ? 'when' : undefined;
	}

	/** Whether entries of any kind stand for records. */
	get isAnyTrusted(): boolean {
		return [...this.agreed.keys()].some((kind) => this.gradeOf(kind) === 'what');
	}

	private draw(): number {
		return 2 * this.clock.random() - 1;
	}
}
