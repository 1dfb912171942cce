import type { Clock } from '../clock/clock';
import { attempt } from '../service/attempt';
import { perAccount } from '../limits/perAccount';

/** What is kept of an account at most. */
const MOST_KEPT = 200;

interface Kept {
	answer: Promise<unknown>;
	/** When it came, as elapsed ms and as ms since 1970; while it is under way, not yet. */
	at?: { elapsed: number; time: number };
	/** ms. */
	keepMs: number;
}

/**
 * Answers that all triggers of an account in this process share for some seconds: twenty triggers cost
 * hardly more requests than one.
 */
export class SharedReads {
	/** By what was asked for, oldest first. */
	private readonly kept = new Map<string, Kept>();

	constructor(private readonly clock: Clock) {}

	/**
	 * The answer to a request, also one that another trigger has sent a moment ago.
	 *
	 * @param key stands for the request
	 * @param keepMs how long an answer serves others, ms
	 * @throws what `send` throws; nothing is kept of it
	 */
	async read(
		key: string,
		send: () => Promise<unknown>,
		keepMs: (answer: unknown) => number,
	): Promise<unknown> {
		this.forget();
		const known = this.kept.get(key);
		if (known) return await known.answer;
		const entry: Kept = { answer: send(), keepMs: 0 };
		this.kept.set(key, entry);
		const answer = await attempt(entry.answer);
		if ('error' in answer) {
			if (this.kept.get(key) === entry) this.kept.delete(key);
			throw answer.error;
		}
		entry.at = { elapsed: this.clock.elapsed(), time: this.clock.now() };
		entry.keepMs = keepMs(answer.value);
		return answer.value;
	}

	/** What is too old, or too much. */
	private forget(): void {
		for (const [key, entry] of this.kept) {
			if (!this.isFresh(entry) || this.kept.size >= MOST_KEPT) this.kept.delete(key);
		}
	}

	private isFresh({ at, keepMs }: Kept): boolean {
		if (at === undefined) return true;
		// While the machine slept, the answer has grown old, too.
		return this.clock.elapsed() - at.elapsed < keepMs && this.clock.now() - at.time < keepMs;
	}
}

/** The shared reads of an account. */
export const sharedReadsOf = perAccount((clock) => new SharedReads(clock));
