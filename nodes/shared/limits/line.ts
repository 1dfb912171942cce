import type { Typical } from '../plan/endModel';
import type { Turn } from '../plan/next';
import type { JobSeen } from '../plan/reads';
import type { Priority } from '../plan/requests';

/** What the history tells of a job. */
export interface News {
	state: string;
	record: Record<string, unknown>;
}

/** A job that is waited for; the code that waits keeps this up to date. Times: elapsed ms. */
export interface FollowedJob extends Omit<JobSeen, 'hasNews' | 'earliestMs' | 'model' | 'trust'> {
	readonly id: string;
	/** Names the jobs that take about as long, where that is learned. */
	readonly kind?: string;
	/** When such jobs end according to the service's documentation. */
	readonly documented?: Typical;
	/** Names the jobs whose history entries are trusted together, where they may be trusted. */
	readonly trustKind?: string;
	/** How long reads go on after its time is up, as long as none is answered, in ms. */
	readonly graceMs: number;
	/** Its next poll has become due: it may have ended. */
	wasDue: boolean;
	/** News that has not been taken in yet. */
	news?: News;
}

/** What somebody waits for (`Wish` of the plan). */
export type Waits =
	| { kind: 'place'; most: number }
	| { kind: 'request'; priority: Priority }
	| { kind: 'job'; job: FollowedJob }
	| { kind: 'look' };

/** Somebody who waits. */
export type Waiting = Waits & {
	/** The run that waits. */
	owner: object;
	/** It goes before the others of its run: the service has refused its job once. */
	isFirst: boolean;
	/** Lets it go on. */
	go(turn: Turn): void;
};

/**
 * Those who wait for a turn. Runs alternate, so that one that waits for much does not starve one that waits for
 * little. Within a run, the first to come goes first.
 */
export class Line {
	private readonly waiting = new Map<Waiting, number>();

	/** The first of each kind when the candidates were last asked for. */
	private readonly first = new Map<string, Waiting>();

	/** When runs were last served. */
	private readonly served = new WeakMap<object, number>();

	/** Counts arrivals and turns, for the order of both. */
	private count = 0;

	/** How many wait for a place. */
	places = 0;

	/** How many wait for a request of the priority `other`. */
	other = 0;

	/** @param placesOf how many places a run has */
	constructor(private readonly placesOf: (owner: object) => number) {}

	get isEmpty(): boolean {
		return this.waiting.size === 0;
	}

	/** Jobs that somebody waits for. */
	get jobs(): FollowedJob[] {
		return [...this.waiting.keys()].flatMap((one) => (one.kind === 'job' ? [one.job] : []));
	}

	/** @returns whether it may be next: no other of its kind goes before it */
	add(one: Waiting): boolean {
		this.waiting.set(one, ++this.count);
		this.countKinds(one, 1);
		const before = this.first.get(this.kindOf(one));
		return !before || !this.waiting.has(before) || this.isBefore(one, before);
	}

	/** Somebody does not wait any more. */
	remove(one: Waiting): void {
		if (this.waiting.delete(one)) this.countKinds(one, -1);
	}

	/** Somebody has had a turn. */
	serve(one: Waiting): void {
		this.remove(one);
		this.served.set(one.owner, ++this.count);
	}

	/** Those who may be next, in turn: one of each kind, and all that wait for a job. */
	candidates(): Waiting[] {
		const { first } = this;
		const jobs: Waiting[] = [];
		first.clear();
		for (const one of this.waiting.keys()) {
			const kind = this.kindOf(one);
			const before = first.get(kind);
			if (one.kind === 'job') jobs.push(one);
			else if (!before || this.isBefore(one, before)) first.set(kind, one);
		}
		return [...first.values(), ...jobs].sort((one, other) => (this.isBefore(one, other) ? -1 : 1));
	}

	/** Of those with the same kind, only the first can be next, whatever the plan says. */
	private kindOf(one: Waiting): string {
		if (one.kind === 'request') return one.priority;
		if (one.kind !== 'place') return one.kind;
		const own = this.placesOf(one.owner);
		return `place beside ${own}${own >= one.most ? ', and no more' : ''}`;
	}

	private isBefore(one: Waiting, other: Waiting): boolean {
		const cameAt = (each: Waiting) => this.waiting.get(each) ?? 0;
		const since = (each: Waiting) => Math.max(cameAt(each), this.served.get(each.owner) ?? 0);
		const isOfSame = one.owner === other.owner;
		if (isOfSame && one.isFirst !== other.isFirst) return one.isFirst;
		const order = isOfSame ? 0 : since(one) - since(other);
		return (order || cameAt(one) - cameAt(other)) < 0;
	}

	private countKinds(one: Waiting, change: 1 | -1): void {
		if (one.kind === 'place') this.places += change;
		if (one.kind === 'request' && one.priority === 'other') this.other += change;
	}
}
