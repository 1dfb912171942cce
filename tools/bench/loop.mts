import { OF_THE_SERVICE, type Planned } from './schedule.mts';

export type Looped = ReturnType<typeof loops>;

/** A loop as users build it: so many at a time, and a fixed wait before each look. */
interface Loop {
	/** How many jobs it is to create in all. */
	jobs: number;
	nextAt: number;
	/** Of the batch at hand. */
	toCreate: number;
	endsAt: number[];
}

/**
 * Loops of HTTP Request, Wait and If, one for each process, that know nothing of one another: each
 * creates five jobs, waits, looks at each of them until all have ended, then goes on to the next
 * five. What is refused is tried again after the wait.
 */
export function loops(
	planned: readonly Pick<Planned, 'ms'>[],
	jobs: readonly number[],
	waitMs: number,
	limits = OF_THE_SERVICE,
) {
	const service = new CountingService(planned, limits);
	let working = jobs.map((count): Loop => ({ jobs: count, nextAt: 0, toCreate: 0, endsAt: [] }));
	/** Until the last job has been seen to end. */
	let ms = 0;
	for (;;) {
		working = working.filter(hasWork);
		const [first, ...others] = working;
		if (!first) break;
		const next = others.reduce((one, other) => (other.nextAt < one.nextAt ? other : one), first);
		service.now = ms = next.nextAt;
		turn(next, service, limits.places);
		if (hasWork(next)) next.nextAt += waitMs;
	}
	return { ms, requests: service.requests, refused: service.refused };
}

const hasWork = ({ jobs, toCreate, endsAt }: Loop) => jobs + toCreate + endsAt.length > 0;

/** Looks at what it has created, then creates what there is to create. */
function turn(loop: Loop, service: CountingService, batchSize: number): void {
	// If looks at all items: those that have ended are read again.
	const reads = loop.endsAt.map((endsAt) => service.admits() && endsAt <= service.now);
	const isOver = loop.toCreate === 0 && reads.every(Boolean);
	if (isOver) {
		loop.endsAt = [];
		loop.toCreate = Math.min(batchSize, loop.jobs);
		loop.jobs -= loop.toCreate;
	}
	const made = Array.from({ length: loop.toCreate }, () => service.create()).filter(
		(endsAt) => endsAt !== undefined,
	);
	loop.toCreate -= made.length;
	loop.endsAt.push(...made);
}

class CountingService {
	now = 0;
	requests = 0;
	refused = 0;
	private readonly served: number[] = [];
	private running: number[] = [];
	private created = 0;

	constructor(
		private readonly planned: readonly Pick<Planned, 'ms'>[],
		private readonly limits: typeof OF_THE_SERVICE,
	) {}

	/** Whether a request is served; it counts if it is. */
	admits(): true | undefined {
		this.requests += 1;
		while ((this.served[0] ?? Infinity) <= this.now - this.limits.windowMs) this.served.shift();
		if (this.served.length >= this.limits.requests) return this.refuse();
		this.served.push(this.now);
		return true;
	}

	/** When the new job ends, ms; `undefined` where it is refused. */
	create(): number | undefined {
		if (!this.admits()) return undefined;
		this.running = this.running.filter((endsAt) => endsAt > this.now);
		if (this.running.length >= this.limits.places) return this.refuse();
		const endsAt = this.now + (this.planned[this.created++]?.ms ?? 0);
		this.running.push(endsAt);
		return endsAt;
	}

	private refuse(): undefined {
		this.refused += 1;
		return undefined;
	}
}

/** Waits that a user may choose, s; the shown loop waits the longest of them. */
const WAITS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** With the best of all waits that users may choose: the fastest, then the longest. */
export function fastestLoops(planned: readonly Pick<Planned, 'ms'>[], jobs: readonly number[]) {
	const tried = WAITS.map((seconds) => ({ seconds, ...loops(planned, jobs, seconds * 1000) }));
	return tried.reduce((best, other) => (other.ms <= best.ms ? other : best));
}
