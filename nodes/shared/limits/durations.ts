import { EndModel, type Typical } from '../plan/endModel';

/** Jobs of a kind that are remembered. */
const REMEMBERED = 50;

/** With fewer than that nothing is said. */
const ENOUGH = 3;

/** What is learned is a guess: the first poll is planned no later than this, ms. */
const LONGEST_GUESS_MS = 60_000;

/** The end of a job as this process has seen it, in ms from the job's creation. */
interface SeenEnd {
	/** The last poll that found it going on; 0 when none did since it was created. */
	afterMs: number;
	/** The poll that found it ended. */
	byMs: number;
	/** How long it took by its own record, whose clocks and zones are not ours. */
	recordedMs?: number;
}

/** Learns, from the jobs seen in this process, how long each kind of them takes. */
export class Durations {
	private readonly seen = new Map<string, number[]>();

	/** Of the jobs that ended last, of whatever kind. */
	private last: number[] = [];

	/** How old jobs of kinds of which none has ended were seen to be. */
	private readonly goingOn = new Map<string, number>();

	private readonly models = new Map<string, EndModel>();

	/** Learns from an end that was seen to happen; the record only says where between two polls. */
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

	/** A job was seen to go on. @param ms from its creation */
	noteGoingOn(kind: string, ms: number): void {
		if (ms > this.atLeastMs(kind)) this.goingOn.set(kind, ms);
	}

	/** Before this age, ms, a job of the kind has hardly ended: another one had not. */
	atLeastMs(kind: string): number {
		return this.goingOn.get(kind) ?? 0;
	}

	/** How long a job takes, ms, on average; `undefined` before the first has ended. */
	get average(): number | undefined {
		const { length } = this.last;
		return length > 0 ? this.last.reduce((sum, ms) => sum + ms, 0) / length : undefined;
	}

	/** When a job of the kind can be expected to end; a little earlier than any did. */
	typical(kind: string): Typical | undefined {
		const seen = this.seen.get(kind) ?? [];
		if (seen.length < ENOUGH) return undefined;
		return {
			fromMs: Math.min(Math.min(...seen) * 0.9, LONGEST_GUESS_MS),
			toMs: Math.max(...seen),
			seenMs: seen,
		};
	}

	/** How likely a job of the kind has ended; the document's time goes before what was seen. */
	model(kind: string, documented?: Typical): EndModel {
		const model = this.models.get(kind) ?? new EndModel(documented ?? this.typical(kind));
		this.models.set(kind, model);
		return model;
	}
}
