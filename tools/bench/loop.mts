import { OF_THE_SERVICE, type Planned } from './schedule.mts';

export type Looped = ReturnType<typeof loops>;

/** A loop as users build it: a fixed number of jobs at a time, and a fixed wait before each look. */
interface Loop {
	/** How many jobs it has yet to put into a batch. */
	jobs: number;
	nextAt: number;
	/** In the current batch: the jobs to create, and when those created end. */
	toCreate: number;
	endsAt: number[];
}

/**
 * Loops of HTTP Request, Wait and If, one for each process, that know nothing of one another. Each creates five jobs,
 * waits, looks at each until all have ended, then goes on to the next five. It repeats refused requests after the wait.
 */
export function loops(
	planned: readonly Pick<Planned, 'ms'>[],
	jobs: readonly number[],
	waitMs: number,
	limits = OF_THE_SERVICE,
) {
	const service = new CountingService(planned, limits);
	let working = jobs.map((count): Loop => ({ jobs: count, nextAt: 0, toCreate: 0, endsAt: [] }));
	/** The time until the last job was seen to have ended, in ms. */
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

/** Looks at the jobs that it has created, then creates those that are still missing. */
function turn(loop: Loop, service: CountingService, batchSize: number): void {
	// The loop reads all its jobs each time, even those that have ended.
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

	/** Whether a request is served; only then does it count towards the limit. */
	admits(): true | undefined {
		this.requests += 1;
		while ((this.served[0] ?? Infinity) <= this.now - this.limits.windowMs) this.served.shift();
		if (this.served.length >= this.limits.requests) return this.refuse();
		this.served.push(this.now);
		return true;
	}

	/** Creates a job; returns when it ends, in ms, or `undefined` if it is refused. */
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

/** Waits that a user may choose, in s; the documented loop uses the longest. */
const WAITS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** The loops with the best of these waits: the fastest and, among equals, the longest. */
export function fastestLoops(planned: readonly Pick<Planned, 'ms'>[], jobs: readonly number[]) {
	const tried = WAITS.map((seconds) => ({ seconds, ...loops(planned, jobs, seconds * 1000) }));
	return tried.reduce((best, other) => (other.ms <= best.ms ? other : best));
}
