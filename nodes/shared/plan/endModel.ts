/** When a job can be expected to end, ms from its creation. */
export interface Typical {
	fromMs: number;
	toMs: number;
	/** What jobs of the kind took, where that was seen. */
	seenMs?: readonly number[];
}

/** A job that goes on after all that is known: its chance to end falls with its age, by this power. */
const TAIL = 4;

/** Ages, ms, and which part of jobs has ended by then. */
type Knots = ReadonlyArray<readonly [ms: number, ended: number]>;

/** Where nothing is known, jobs end from here on, ms. */
const NOTHING_KNOWN: Knots = [[500, 0]];

/**
 * How likely a job has ended at an age: between the ends that were seen, or within the documented time,
 * evenly; after them less and less likely, so that none is given up.
 */
export class EndModel {
	private readonly knots: Knots;

	/** Sum of the part that goes on, over the ages up to each knot, ms. */
	private readonly sums: number[] = [];

	constructor(typical?: Typical) {
		this.knots = knotsOf(typical);
		let sum = this.knots[0]![0];
		for (const [index, [ms, ended]] of this.knots.entries()) {
			const [lastMs, lastEnded] = this.knots[index - 1] ?? [ms, 0];
			sum += (ms - lastMs) * (1 - (ended + lastEnded) / 2);
			this.sums.push(sum);
		}
	}

	/** No job has ended at an earlier age, ms. */
	get earliestMs(): number {
		return this.knots[0]![0];
	}

	/**
	 * For how long a job has been over, on average.
	 *
	 * @param knownMs age at which it was seen to go on
	 * @param ageMs its age now
	 */
	idleMs(knownMs: number, ageMs: number): number {
		if (ageMs <= knownMs) return 0;
		return Math.max(0, ageMs - knownMs - this.ranMs(knownMs, ageMs));
	}

	/** For how long it has gone on since, on average. */
	private ranMs(knownMs: number, ageMs: number): number {
		// All of the tail is alike, and far out in it sums differ by less than a number holds.
		if (this.nextKnot(knownMs) === this.knots.length) return tailMs(knownMs, ageMs);
		return (this.sumTo(ageMs) - this.sumTo(knownMs)) / this.goesOn(knownMs);
	}

	/** Which part of jobs goes on at an age. */
	private goesOn(ageMs: number): number {
		const next = this.nextKnot(ageMs);
		const [lastMs, lastEnded] = this.knots[next - 1] ?? [0, 0];
		const knot = this.knots[next];
		if (!knot) return (1 - lastEnded) * (lastMs / ageMs) ** TAIL;
		const [ms, ended] = knot;
		const part = next === 0 ? 0 : (ageMs - lastMs) / (ms - lastMs);
		return 1 - lastEnded - part * (ended - lastEnded);
	}

	private sumTo(ageMs: number): number {
		const next = this.nextKnot(ageMs);
		if (next === 0) return ageMs;
		const [lastMs, lastEnded] = this.knots[next - 1]!;
		const sum = this.sums[next - 1]!;
		if (next < this.knots.length) {
			const left = (1 - lastEnded + this.goesOn(ageMs)) / 2;
			return sum + (ageMs - lastMs) * left;
		}
		return sum + (1 - lastEnded) * tailMs(lastMs, ageMs);
	}

	/** The first knot that is later. */
	private nextKnot(ageMs: number): number {
		let [low, high] = [0, this.knots.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.knots[middle]![0] > ageMs) high = middle;
			else low = middle + 1;
		}
		return low;
	}
}

/** For how long a job goes on, on average, that nothing is known of but that it does at an age. */
const tailMs = (knownMs: number, ageMs: number) =>
	(knownMs / (TAIL - 1)) * (1 - (knownMs / ageMs) ** (TAIL - 1));

/** One more job than was seen may end later than all of them. */
function knotsOf(typical?: Typical): Knots {
	if (!typical) return NOTHING_KNOWN;
	const { fromMs, toMs, seenMs } = typical;
	const ends = [...new Set(seenMs ?? [])].sort((one, other) => one - other);
	if (ends.length === 0) {
		return [
			[fromMs, 0],
			[Math.max(toMs, fromMs + 1), 0.95],
		];
	}
	const all = seenMs!.length + 1;
	const part = (ms: number) => seenMs!.filter((end) => end <= ms).length / all;
	const first = Math.min(fromMs, ends[0]! - 1);
	return [[first, 0], ...ends.map((ms) => [ms, part(ms)] as const)];
}
