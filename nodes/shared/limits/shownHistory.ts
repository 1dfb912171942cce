import type { Clock } from '../clock/clock';
import type { TrustGrade } from '../plan/reads';

/** How long what a look has shown holds, in ms; after that it counts less and less. */
const OUTDATED_MS = 15_000;

/** How long a useless history is not asked, and a wrong one not believed, in ms. */
const PAUSE_MS = 600_000;

/**
 * How many entries in a row must agree with what reads of their jobs say before entries are trusted; each difference
 * adds as many again.
 */
const ENOUGH = 3;

/**
 * What the generation history of an account has shown, and how far it is believed. Apart from 429s, nothing else
 * shows other processes, workflows and people.
 */
export class ShownHistory {
	/** Jobs of others that take places: when each was created, elapsed ms, by identifier. */
	others: ReadonlyMap<string, number> = new Map();

	/** When the last look that is over was sent, elapsed ms. */
	lookedAt = -Infinity;

	/** When the look under way was sent, elapsed ms. */
	askedAt?: number;

	/** Drawn for each look, from -1 to 1. */
	chance: number;

	private uselessUntil = 0;

	/** How many entries in a row have agreed with their jobs, by the kind of the jobs. */
	private agreed = new Map<string, Record<TrustGrade, number>>();

	private differences = 0;

	private distrustedUntil = 0;

	constructor(private readonly clock: Clock) {
		this.chance = this.draw();
	}

	/** A look is sent. */
	ask(): void {
		this.askedAt = this.clock.elapsed();
		this.chance = this.draw();
	}

	/** The look is over, whatever came of it. */
	answered(): void {
		this.lookedAt = this.askedAt ?? this.clock.elapsed();
		this.askedAt = undefined;
	}

	/** Whether the history may be asked: it was not given up lately. */
	get isUsable(): boolean {
		return this.clock.elapsed() >= this.uselessUntil;
	}

	/** The history is of no use: it is not asked for a while. */
	giveUp(): void {
		this.uselessUntil = this.clock.elapsed() + PAUSE_MS;
	}

	/** Whether the history was asked so recently that the places it showed are up to date. */
	isFresh(withinMs: number): boolean {
		return this.clock.elapsed() - this.lookedAt <= withinMs;
	}

	/**
	 * The part of the account's requests that belongs to this process: as if each job of others were in a separate
	 * process, and one more process waited. It grows once the last look is outdated: the others may have stopped.
	 */
	get share(): number {
		const since = Math.max(0, this.clock.elapsed() - this.lookedAt - OUTDATED_MS);
		const others = this.others.size > 0 ? this.others.size + 1 : 0;
		return 1 / Math.max(1, (1 + others) / 2 ** (since / OUTDATED_MS));
	}

	/** An entry was right about when its job ended (`when`), or also about its result (`what`). */
	agree(kind: string, grade: TrustGrade): void {
		const { when, what } = this.agreed.get(kind) ?? { when: 0, what: 0 };
		this.agreed.set(kind, { when: when + 1, what: grade === 'what' ? what + 1 : 0 });
	}

	/** An entry was wrong: nothing in the history is believed for a while. */
	differ(): void {
		this.agreed = new Map();
		this.differences += 1;
		this.distrustedUntil = this.clock.elapsed() + PAUSE_MS;
	}

	/** Whether an entry was found to be wrong lately. */
	get isDistrusted(): boolean {
		return this.clock.elapsed() < this.distrustedUntil;
	}

	/** What entries of the kind are trusted for. */
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
