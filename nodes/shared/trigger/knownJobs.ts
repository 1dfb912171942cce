import type { ListedJob } from './listedJob';
import { hashOf, isOverfull, type PendingJob, type TriggerMemory } from './memory';

/** What is known of the jobs of an account while a trigger looks at them. */
export class KnownJobs {
	private readonly seen: Set<string>;
	/** Those of them that a list still shows, or shows for the first time: the last to be forgotten. */
	private readonly fresh = new Set<string>();
	/** By the identifier that their status is read by. */
	private readonly pending: Map<string, PendingJob>;
	private readonly tries: Map<string, number>;

	constructor(private readonly memory: TriggerMemory) {
		this.seen = new Set(memory.seen);
		this.pending = new Map(memory.pending.map((job) => [job.id, job]));
		this.tries = new Map(Object.entries(memory.tries));
	}

	/** Whether the job has ended, and need not be looked at again. */
	isSeen({ ids }: Pick<ListedJob, 'ids'>): boolean {
		return ids.some((id) => this.seen.has(hashOf(id)));
	}

	/** Whether the job was not at its end when it was last heard of. */
	isPending({ ids }: Pick<ListedJob, 'ids'>): boolean {
		return ids.some((id) => this.pending.has(id));
	}

	markSeen({ ids }: Pick<ListedJob, 'ids'>): void {
		for (const id of ids) {
			this.mark(id);
			this.pending.delete(id);
		}
	}

	/** Whether something that is no identifier, such as a URL, was marked. */
	hasMark = (text: string) => this.seen.has(hashOf(text));

	mark(text: string): void {
		const hash = hashOf(text);
		this.seen.add(hash);
		this.fresh.add(hash);
	}

	/**
	 * The job is to be heard of again; unless it has ended once.
	 *
	 * @param missed polls in which no list has shown it
	 */
	waitFor({ id, ids, source }: ListedJob, missed = 0): void {
		if (this.isSeen({ ids })) return;
		this.pending.set(id, { id, startedWith: source.route.value, missed });
	}

	pendingJobs = (): PendingJob[] => [...this.pending.values()];

	/** Counts one more try to read the status of a job that has ended. */
	countTry({ id }: Pick<ListedJob, 'id'>): number {
		const tries = (this.tries.get(hashOf(id)) ?? 0) + 1;
		this.tries.set(hashOf(id), tries);
		return tries;
	}

	/** Whether some will be forgotten. */
	isOverfull = () => isOverfull(this.seen.size);

	/** As it is remembered. */
	toMemory(): Pick<TriggerMemory, 'seen' | 'pending' | 'tries'> {
		const { memory, seen, fresh } = this;
		const pending = this.pendingJobs().filter(({ id }) => !seen.has(hashOf(id)));
		const waitedFor = new Set(pending.map(({ id }) => hashOf(id)));
		return {
			// As it was, where nothing has come to it: n8n need not store it again.
			seen:
				seen.size > memory.seen.length
					? [...memory.seen.filter((hash) => !fresh.has(hash)), ...fresh]
					: memory.seen,
			pending,
			tries: Object.fromEntries([...this.tries].filter(([hash]) => waitedFor.has(hash))),
		};
	}
}
