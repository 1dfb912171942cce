import { EndModel, type Typical } from '../plan/endModel';

/** How many durations are remembered, of each kind and of all jobs. */
const REMEMBERED = 50;

/** With fewer, nothing is predicted. */
const ENOUGH = 3;

/** What is learned is a guess: the first poll is planned no later than this, in ms. */
const LONGEST_GUESS_MS = 60_000;

/** The end of a job as this process has seen it, in ms from the job's creation. */
interface SeenEnd {
	/** The last poll that found it running; 0 if none did. */
	afterMs: number;
	/** The poll that found it ended. */
	byMs: number;
	/** How long it took according to its record, whose clock and time zone are not ours. */
	recordedMs?: number;
}

/** Learns from the jobs seen in this process how long each kind takes. */
export class Durations {
	private readonly seen = new Map<string, number[]>();

	/** How long the jobs that ended last took, of whatever kind, in ms. */
	private last: number[] = [];

	/** The greatest age at which a job of each kind was seen to run, in ms; less once one has ended sooner. */
	private readonly goingOn = new Map<string, number>();

	private readonly models = new Map<string, EndModel>();

	/** Learns from an end that came between two polls; the record only says where between them. */
	noteEnd(kind: string, { afterMs, byMs, recordedMs }: SeenEnd): void {
		const isPlausible = recordedMs !== undefined && recordedMs >= afterMs && recordedMs <= byMs;
		this.note(kind, isPlausible ? recordedMs : (afterMs + byMs) / 2);
	}

	/** @param ms from creation to the end */
	note(kind: string, ms: number): void {
		this.last = [...this.last, ms].slice(-REMEMBERED);
		this.seen.set(kind, [...(this.seen.get(kind) ?? []), ms].slice(-REMEMBERED));
		this.models.clear();
		if (ms < this.atLeastMs(kind)) this.goingOn.set(kind, ms);
	}

	/** A job was seen to run. @param ms from its creation */
	noteGoingOn(kind: string, ms: number): void {
		if (ms > this.atLeastMs(kind)) this.goingOn.set(kind, ms);
	}

	/** Before this age, in ms, a job of the kind has hardly ended: another one had not. */
	atLeastMs(kind: string): number {
		return this.goingOn.get(kind) ?? 0;
	}

	/** How long a job takes on average, in ms; `undefined` before the first has ended. */
	get average(): number | undefined {
		const { length } = this.last;
		return length > 0 ? this.last.reduce((sum, ms) => sum + ms, 0) / length : undefined;
	}

	/** When a job of the kind can be expected to end, from a little earlier than any did. */
	typical(kind: string): Typical | undefined {
		const seen = this.seen.get(kind) ?? [];
		if (seen.length < ENOUGH) return undefined;
		return {
			fromMs: Math.min(Math.min(...seen) * 0.9, LONGEST_GUESS_MS),
			toMs: Math.max(...seen),
			seenMs: seen,
		};
	}

	/** How likely a job of the kind is to have ended; a documented time goes before what was seen. */
	model(kind: string, documented?: Typical): EndModel {
		const model = this.models.get(kind) ?? new EndModel(documented ?? this.typical(kind));
		this.models.set(kind, model);
		return model;
	}
}
