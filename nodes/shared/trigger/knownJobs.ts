import type { ListedJob } from './listedJob';
import { hashOf, isOverfull, type PendingJob, type TriggerMemory } from './memory';
import { aliasesOf, namesOf } from './names';

type Named = Parameters<typeof namesOf>[0];

/** What is known of the jobs of an account while a trigger looks at them. */
export class KnownJobs {
	private readonly seen: Set<string>;
	/** Those of them that a list still shows, or shows for the first time: the last to be forgotten. */
	private readonly fresh = new Set<string>();
	/** By the identifier that their status is read by. */
	private readonly pending: Map<string, PendingJob>;

	constructor(private readonly memory: TriggerMemory) {
		this.seen = new Set(memory.seen);
		this.pending = new Map(memory.pending.map((job) => [job.id, job]));
	}

	/** Whether the job has ended, and need not be looked at again. */
	isSeen(job: Named): boolean {
		return aliasesOf(job).some((name) => this.hasMark(name));
	}

	/** What is remembered of a job that had not ended when it was last heard of. */
	pendingOf({ id, otherIds }: Named): PendingJob | undefined {
		return [id, ...otherIds].map((one) => this.pending.get(one)).find(Boolean);
	}

	markSeen(job: Named): void {
		for (const name of namesOf(job)) this.mark(name);
		this.forget(job);
	}

	/** Waits for the job no longer. */
	forget({ id, otherIds }: Named): void {
		for (const one of [id, ...otherIds]) this.pending.delete(one);
	}

	/** Whether something was marked, such as a name, or the URL of a result. */
	hasMark = (text: string) => this.seen.has(hashOf(text));

	mark(text: string): void {
		const hash = hashOf(text);
		this.seen.add(hash);
		this.fresh.add(hash);
	}

	/** The job is to be heard of again; unless it has ended once. */
	waitFor(job: ListedJob, counts: Partial<PendingJob> = {}): void {
		if (this.isSeen(job)) return;
		const { unread = 0, contradicted = 0 } = this.pendingOf(job) ?? {};
		const { id, source } = job;
		// An entry may have got an identifier that it did not have before.
		if (!this.pending.has(id)) this.forget(job);
		const startedWith = source.route.value;
		this.pending.set(id, { id, startedWith, missed: 0, unread, contradicted, ...counts });
	}

	pendingJobs = (): PendingJob[] => [...this.pending.values()];

	/** Whether some will be forgotten. */
	isOverfull = () => isOverfull(this.seen.size);

	/** As it is remembered. */
	toMemory(): Pick<TriggerMemory, 'seen' | 'pending'> {
		const { memory, seen, fresh } = this;
		return {
			// As it was, where nothing has come to it: n8n need not store it again.
			seen:
				seen.size > memory.seen.length
					? [...memory.seen.filter((hash) => !fresh.has(hash)), ...fresh]
					: memory.seen,
			pending: this.pendingJobs().filter(({ id }) => !this.isSeen({ id, otherIds: [] })),
		};
	}
}
