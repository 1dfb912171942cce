import type { ShownHistory } from '../limits/shownHistory';
import type { Body } from '../service/bodies';
import { COMPLETED } from '../spec/answers';
import type { News } from '../limits/line';
import { keepLatest } from './claims';
import type { JobSnapshot, Trust } from './job';

/** Of entries that stand for records, one of so many is read by itself, too. */
const CHECK_EVERY = 30;

/** Jobs whose outcome is kept to be compared. */
const KEPT = 100;

/** What a user gets to see of a job that has ended. */
interface Outcome {
	text: string;
	/** Of its result; without any, nothing can be told. */
	urls: readonly string[];
}

/** What a record of a job comes to. */
export interface OutcomeReader {
	/** What is alike in how jobs are told of, and what is shown of them. */
	kind: string;
	read(snapshot: JobSnapshot): Outcome;
}

/** What the statuses of jobs told. */
interface Told {
	reader: OutcomeReader;
	outcome: Outcome;
	snapshot: JobSnapshot;
}

/**
 * How far entries of the history may be taken for the records of jobs. What the history shows is not documented, so it
 * is compared, for each kind of job, with what the jobs' own statuses tell: first several times in a row, then now and
 * then (`ShownHistory` counts). An entry that has no result, but the right state, tells when its job has ended and no
 * more. One difference ends the trust in all of it for a while.
 */
export class HistoryTrust {
	/** Entries that were taken since one was compared, by the kind of their jobs. */
	private readonly takenSince = new Map<string, number>();

	private readonly told = new Map<string, Told>();

	/** Entries that were taken, and must not be told otherwise later. */
	private readonly taken = new Map<string, Told>();

	/** The job that each result URL belongs to. */
	private readonly owners = new Map<string, string>();

	private current: Trust = { hasEnded: false };

	constructor(private readonly history: ShownHistory) {}

	/**
	 * Takes an entry for the record of its job.
	 *
	 * @returns what that rests on; `undefined` where the job has to be read by itself
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

	/** What the job's own status has told; its entry is compared with it, when that comes. */
	expect(reader: OutcomeReader, snapshot: JobSnapshot): void {
		const outcome = reader.read(snapshot);
		this.belong(outcome.urls, snapshot.id);
		keepLatest(this.told, snapshot.id, { reader, outcome, snapshot }, KEPT);
	}

	/** Compares an entry with what the job's own status has told, or an entry that was taken for it. */
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

	/** The history has told something else than the service itself. */
	end(): void {
		this.current.hasEnded = true;
		this.current = { hasEnded: false };
		this.takenSince.clear();
		this.told.clear();
		this.taken.clear();
		this.history.differ();
	}

	/** Whether there are URLs. One that is another job's, too, was told of the wrong one, or tells nothing. */
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
