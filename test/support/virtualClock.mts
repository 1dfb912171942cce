import { seededRandom, type Random } from '../../sandbox/random.mts';

interface Sleeper {
	/** When it wakes, ms. */
	at: number;
	wake(): void;
}

/** The shortest sleep, ms: floating-point numbers might not be able to add a shorter one to the time. */
const LEAST_MS = 0.001;

const HOUR_MS = 3_600_000;

/** How much can happen until what is waited for counts as something that never comes. */
export interface Bounds {
	/** Requests, or what else is counted (`count`): they take most of the real time. */
	requests: number;
	/** Turns of the event loop. */
	turns: number;
	/** Virtual time of `run`, ms; who lets time `advance` says himself how much. */
	ms: number;
}

export const UNBOUNDED: Bounds = { requests: Infinity, turns: Infinity, ms: Infinity };

/**
 * Time for tests: it moves only when everything that could still happen now has happened, and
 * then at once to where the next sleeper wakes. A day of polling takes a millisecond.
 *
 * Code under test takes `now`, `elapsed`, `sleep` and chance from this clock. Use `hold` or `begin` to tell it of
 * other work under way, such as HTTP or files.
 */
export class VirtualClock {
	/** The next to wake is last; of several with the same time, the one that fell asleep first. */
	private readonly sleepers: Sleeper[] = [];
	/** Pieces of work under way, and what to call when none is left. */
	private working = 0;
	private idle = () => {};

	/** ms since the start, without those the machine has slept. Counted from 1970, fractions of a ms would be lost. */
	private time = 0;

	/** How long the machine has slept, ms. */
	private asleepMs = 0;

	/** So far. */
	private requests = 0;
	private turns = 0;

	/**
	 * With these, a mistake such as a creation that is sent again and again makes a test fail, and not hang. They are
	 * far away: no unit test has 700 requests or 10,000 turns in one `run` or `advance`, and none a `run` of five
	 * hours, but that of this clock. What never lets the event loop turn is not noticed: a loop that waits for
	 * nothing, or only for promises that are kept at once.
	 */
	bounds: Bounds = { requests: 2000, turns: 50_000, ms: 100 * HOUR_MS };

	/** Draws for all users of this clock; the same seed gives the same draws. */
	readonly random: Random;

	/**
	 * @param startsAt ms since 1970
	 * @param seed of chance
	 */
	constructor(
		private readonly startsAt = Date.UTC(2026, 0, 1),
		seed = 1,
	) {
		this.random = seededRandom(seed, 'chance');
	}

	/** Milliseconds since 1970. */
	readonly now = (): number => this.startsAt + this.asleepMs + this.time;

	/** Milliseconds since the start, without those that the machine has slept. */
	readonly elapsed = (): number => this.time;

	/** Resolves when `ms` milliseconds have passed; rejects with the signal's reason on abort. */
	readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
		new Promise((resolve, reject) => {
			if (signal?.aborted) return reject(signal.reason);
			const sleeper: Sleeper = {
				at: this.time + (ms > 0 ? Math.max(ms, LEAST_MS) : 0),
				wake: () => {
					signal?.removeEventListener('abort', abort);
					resolve();
				},
			};
			const abort = () => {
				this.remove(sleeper);
				reject(signal?.reason);
			};
			signal?.addEventListener('abort', abort, { once: true });
			this.sleepers.splice(this.placeOf(sleeper), 0, sleeper);
		});

	/** Number of sleepers. */
	get sleeping(): number {
		return this.sleepers.length;
	}

	/** Time stands still until the promise has settled. Returns the promise. */
	readonly hold = <T,>(promise: Promise<T>): Promise<T> => {
		const end = this.begin();
		promise.then(end, end);
		return promise;
	};

	/** Time stands still until the returned function is called; a second call does nothing. */
	readonly begin = (): (() => void) => {
		let isOver = false;
		this.working += 1;
		return () => {
			if (isOver) return;
			isOver = true;
			this.working -= 1;
			if (this.working === 0) this.idle();
		};
	};

	/** Counts a request against the bounds. */
	count(): void {
		this.requests += 1;
	}

	/** The machine sleeps for `ms` milliseconds: time goes by, but its timers stand still. */
	suspend(ms: number): void {
		this.asleepMs += ms;
	}

	/**
	 * Lets `ms` milliseconds pass and wakes, one after another, all sleepers whose time comes.
	 *
	 * @throws Error when that takes more turns than `bounds` allow
	 */
	async advance(ms: number): Promise<void> {
		const end = this.time + ms;
		const most = this.from({ ...this.bounds, ms: Infinity });
		await this.settle(most);
		for (let next = this.next(); next && next.at <= end; next = this.next()) {
			this.wake(next);
			await this.settle(most);
		}
		this.time = end;
	}

	/**
	 * Moves time until the promise settles, and returns what it settles to.
	 *
	 * @throws Error when nothing is left that time could bring about, or it takes longer than `bounds` allow
	 */
	async run<T>(promise: Promise<T>): Promise<T> {
		let isPending = true;
		const most = this.from(this.bounds);
		const settled = () => (isPending = false);
		promise.then(settled, settled);
		for (await this.settle(most); isPending; await this.settle(most)) {
			const next = this.next();
			if (!next) throw new Error('The promise is pending, but nobody sleeps and nothing is held');
			this.wake(next);
		}
		return promise;
	}

	private next(): Sleeper | undefined {
		return this.sleepers.at(-1);
	}

	private wake(sleeper: Sleeper): void {
		this.remove(sleeper);
		this.time = Math.max(this.time, sleeper.at);
		sleeper.wake();
	}

	private remove(sleeper: Sleeper): void {
		const index = this.sleepers.indexOf(sleeper, this.placeOf(sleeper));
		if (index >= 0) this.sleepers.splice(index, 1);
	}

	/** Index of the first sleeper that wakes no later. There are thousands, hence the binary search. */
	private placeOf({ at }: Sleeper): number {
		let [low, high] = [0, this.sleepers.length];
		while (low < high) {
			const middle = (low + high) >> 1;
			if (this.sleepers[middle]!.at > at) low = middle + 1;
			else high = middle;
		}
		return low;
	}

	/** The counts at which the bounds are met. */
	private from({ requests, turns, ms }: Bounds): Bounds {
		return { requests: this.requests + requests, turns: this.turns + turns, ms: this.time + ms };
	}

	/** Everything that can happen without time passing. */
	private async settle(most: Bounds): Promise<void> {
		await this.turn(most);
		while (this.working > 0) {
			await new Promise<void>((resolve) => (this.idle = resolve));
			await this.turn(most);
		}
	}

	/** One turn of the event loop: all promise callbacks run before it, however many there are. */
	private async turn(most: Bounds): Promise<void> {
		await new Promise((resolve) => setImmediate(resolve));
		this.turns += 1;
		const { requests, turns, time } = this;
		if (requests <= most.requests && turns <= most.turns && time <= most.ms) return;
		const hours = (time / HOUR_MS).toFixed(1);
		throw new Error(
			`It does not end: ${requests} requests, ${turns} turns, ${hours} h of virtual time`,
		);
	}
}
