/** When a job can be expected to end, ms from its creation. */
export interface Typical {
	fromMs: number;
	toMs: number;
	/** What jobs of the kind took, where that was seen. */
	seenMs?: readonly number[];
}

/** After the last known end, the part of jobs that still run falls with their age to this power. */
const TAIL = 4;

/** Ages in ms, and the part of jobs that has ended by each. */
type Knots = ReadonlyArray<readonly [ms: number, ended: number]>;

/** If nothing is known: no job ends before this age, in ms. */
const NOTHING_KNOWN: Knots = [[500, 0]];

/**
 * How likely a job is to have ended at an age. Between ends that were seen, or within the documented time, ends come
 * evenly. After that they become ever less likely but never impossible, so that no job is given up.
 */
export class EndModel {
	private readonly knots: Knots;

	/** How long a job has run by the age of each knot, on average, in ms. */
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

	/** No job ends before this age, in ms. */
	get earliestMs(): number {
		return this.knots[0]![0];
	}

	/**
	 * How long a job has been over, on average, in ms.
	 *
	 * @param knownMs the age at which it was last seen to run, in ms
	 * @param ageMs its age now, in ms
	 */
	idleMs(knownMs: number, ageMs: number): number {
		if (ageMs <= knownMs) return 0;
		return Math.max(0, ageMs - knownMs - this.ranMs(knownMs, ageMs));
	}

	/** How long it has run since `knownMs`, on average, in ms. */
	private ranMs(knownMs: number, ageMs: number): number {
		// Far out in the tail, sums differ by less than a number can hold. There, the tail's own formula is exact.
		if (this.nextKnot(knownMs) === this.knots.length) return tailMs(knownMs, ageMs);
		return (this.sumTo(ageMs) - this.sumTo(knownMs)) / this.goesOn(knownMs);
	}

	/** The part of jobs that still run at an age. */
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

	/** The index of the first knot after an age. */
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

/** How long a job runs from `knownMs` to `ageMs`, on average, in ms, if all that is known is that it ran then. */
const tailMs = (knownMs: number, ageMs: number) =>
	(knownMs / (TAIL - 1)) * (1 - (knownMs / ageMs) ** (TAIL - 1));

/** Counts one job more than was seen: it may end later than all of them. */
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
