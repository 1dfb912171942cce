import type { ShownHistory } from '../limits/shownHistory';
import type { Body } from '../service/bodies';
import { COMPLETED } from '../spec/answers';
import type { News } from '../limits/line';
import { keepLatest } from './claims';
import type { JobSnapshot, Trust } from './job';

/** One in this many of the entries that would stand for records is not taken: its job is read, and compared. */
const CHECK_EVERY = 30;

/** How many jobs' outcomes are kept for comparison, and how many result URLs. */
const KEPT = 100;

/** What a user gets to see of a job that has ended. */
interface Outcome {
	text: string;
	/** URLs of the result; an entry without any does not stand for a record. */
	urls: readonly string[];
}

/** Tells what a record of a job comes to. */
export interface OutcomeReader {
	/** Jobs of one kind are listed alike, and shown to users alike. */
	kind: string;
	read(snapshot: JobSnapshot): Outcome;
}

/** What the status of a job told, or an entry that was taken in its place. */
interface Told {
	reader: OutcomeReader;
	outcome: Outcome;
	snapshot: JobSnapshot;
}

/**
 * How far entries of the history may be taken for the records of jobs. What the history shows is not documented, so it
 * is compared, for each kind of job, with what the jobs' own statuses tell: first several times in a row, then now and
 * then (`ShownHistory` counts). An entry with the right state but no result tells only when its job has ended. One
 * difference ends the trust in the whole history for a while.
 */
export class HistoryTrust {
	/** How many entries were taken since the last one that was compared, by the kind of their jobs. */
	private readonly takenSince = new Map<string, number>();

	private readonly told = new Map<string, Told>();

	/** Entries that were taken for records, by job: later entries must tell the same. */
	private readonly taken = new Map<string, Told>();

	/** The job that each result URL belongs to. */
	private readonly owners = new Map<string, string>();

	private current: Trust = { hasEnded: false };

	constructor(private readonly history: ShownHistory) {}

	/**
	 * Takes an entry for the record of its job.
	 *
	 * @returns the trust that this rests on; `undefined` if the job's own status has to be read
	 */
	take(reader: OutcomeReader, entry: JobSnapshot): Trust | undefined {
		const { kind } = reader;
		if (this.history.gradeOf(kind) !== 'what') return undefined;
		const since = ((this.takenSince.get(kind) ?? 0) + 1) % CHECK_EVERY;
		this.takenSince.set(kind, since);
		const outcome = reader.read(entry);
		if (!this.belong(outcome.urls, entry.id) || since === 0) return undefined;
		keepLatest(this.taken, entry.id, { reader, outcome, snapshot: entry }, KEPT);
		return this.current;
	}

	/** Keeps what the job's own status has told, to compare it with the job's entry when that comes. */
	expect(reader: OutcomeReader, snapshot: JobSnapshot): void {
		const outcome = reader.read(snapshot);
		this.belong(outcome.urls, snapshot.id);
		keepLatest(this.told, snapshot.id, { reader, outcome, snapshot }, KEPT);
	}

	/** Compares an entry with what the job's own status told, or with an earlier entry that was taken in its place. */
	compare(id: string, { state, record }: News): void {
		const taken = this.taken.get(id);
		if (taken && !isSame(taken, state, record)) return this.end();
		const told = this.told.get(id);
		if (!told || state !== COMPLETED) return;
		this.told.delete(id);
		const { reader, snapshot } = told;
		if (isSame(told, state, record)) return this.history.agree(reader.kind, 'what');
		const hasResult = reader.read({ ...snapshot, state, record }).urls.length > 0;
		if (state === snapshot.state && !hasResult) this.history.agree(reader.kind, 'when');
		else this.end();
	}

	/** Ends the trust: the history has told something else than the service itself. */
	end(): void {
		this.current.hasEnded = true;
		this.current = { hasEnded: false };
		this.takenSince.clear();
		this.told.clear();
		this.taken.clear();
		this.history.differ();
	}

	/** Whether there are URLs, all of this job alone. A shared one ends the trust: it is wrong, or tells nothing. */
	private belong(urls: readonly string[], id: string): boolean {
		const others = urls.filter((url) => (this.owners.get(url) ?? id) !== id);
		for (const url of urls) keepLatest(this.owners, url, id, KEPT);
		if (others.length > 0) this.end();
		return urls.length > 0 && others.length === 0;
	}
}

function isSame({ reader, outcome, snapshot }: Told, state: string, record: Body): boolean {
	const isAsBefore =
		state === snapshot.state && JSON.stringify(record) === JSON.stringify(snapshot.record);
	return isAsBefore || reader.read({ ...snapshot, state, record }).text === outcome.text;
}
