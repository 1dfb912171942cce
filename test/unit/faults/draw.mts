import { seededRandom } from '../../../sandbox/random.mts';

/** Draws from a seed: the same draws in the same order for the same seed. */
export class Draw {
	private readonly random: () => number;

	/** @param purpose draws for another do not change these */
	constructor(seed: number, purpose = 'fault suite') {
		this.random = seededRandom(seed, purpose);
	}

	chance(probability: number): boolean {
		return this.random() < probability;
	}

	/** A whole number, both ends included. */
	whole(min: number, max: number): number {
		return min + Math.floor(this.random() * (max - min + 1));
	}

	/** As `whole`, small ones much more often. */
	skewed(min: number, max: number): number {
		return min + Math.floor(this.random() ** 3 * (max - min + 1));
	}

	/** A list shows by repetition what is likelier. */
	pick<const T>(choices: readonly T[]): T {
		return choices[this.whole(0, choices.length - 1)]!;
	}

	/** As many as that. */
	list<T>(length: number, make: (index: number) => T): T[] {
		return Array.from({ length }, (_, index) => make(index));
	}
}
