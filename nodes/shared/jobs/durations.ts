import { perAccount } from '../service/perAccount';
import type { Typical } from './pollingPlan';

/** Jobs of a kind that are remembered. */
const REMEMBERED = 20;

/** With fewer than that nothing is said. */
const ENOUGH = 3;

/** The first ones to end are the short ones: they do not tell how far jobs are apart. */
const ENOUGH_FOR_SPREAD = 10;

/** Learns, from the jobs seen in this process, how long each kind of them takes. */
export class Durations {
	private readonly seen = new Map<string, number[]>();

	/** Of the jobs that ended last, of whatever kind. */
	private last: number[] = [];

	/** @param ms from creation to the end */
	note(kind: string, ms: number): void {
		this.last = [...this.last, ms].slice(-REMEMBERED);
		this.seen.set(kind, [...(this.seen.get(kind) ?? []), ms].slice(-REMEMBERED));
	}

	/** How long a job takes, ms, on average; `undefined` before the first has ended. */
	get average(): number | undefined {
		const { length } = this.last;
		return length > 0 ? this.last.reduce((sum, ms) => sum + ms, 0) / length : undefined;
	}

	/** How far jobs are apart in how long they take, in parts of the average; at most 1. */
	get spread(): number {
		const { average } = this;
		if (!average || this.last.length < ENOUGH_FOR_SPREAD) return 1;
		return Math.min(1, (Math.max(...this.last) - Math.min(...this.last)) / average);
	}

	/** When a job of the kind can be expected to end; a little earlier than any did. */
	typical(kind: string): Typical | undefined {
		const seen = this.seen.get(kind) ?? [];
		if (seen.length < ENOUGH) return undefined;
		return { fromMs: Math.min(...seen) * 0.9, toMs: Math.max(...seen) };
	}
}

/** What is known of an account's jobs. */
export const durationsOf = perAccount(() => new Durations());
