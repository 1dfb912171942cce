import type { JobSource } from '../spec/catalogs';
import type { ListedJob } from './listedJob';
import { hashOf, type PendingJob, type TriggerMemory } from './memory';
import { aliasesOf, namesOf } from './names';

type Named = Parameters<typeof namesOf>[0];

/** What is known of the jobs of an account while a trigger looks at them. */
export class KnownJobs {
	private readonly seen: Set<string>;
	/** Those of them that a list still shows, or shows for the first time, by source: the last to be forgotten. */
	private readonly fresh = new Map<string, Set<string>>();
	/** By the identifier that their status is read by. */
	private readonly pending: Map<string, PendingJob>;

	constructor(private readonly memory: TriggerMemory) {
		this.seen = new Set(Object.values(memory.seen).flat());
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

	markSeen(job: Named & Pick<ListedJob, 'source'>): void {
		for (const name of namesOf(job)) this.mark(name, job.source);
		this.forget(job);
	}

	/** Waits for the job no longer. */
	forget({ id, otherIds }: Named): void {
		for (const one of [id, ...otherIds]) this.pending.delete(one);
	}

	/** Whether something was marked, such as a name, or the URL of a result. */
	hasMark = (text: string) => this.seen.has(hashOf(text));

	mark(text: string, { route }: Pick<JobSource, 'route'>): void {
		const hash = hashOf(text);
		const fresh = this.fresh.get(route.value) ?? new Set();
		this.seen.add(hash);
		this.fresh.set(route.value, fresh.add(hash));
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

	/** As it is remembered. */
	toMemory(): Pick<TriggerMemory, 'seen' | 'pending'> {
		const seen = { ...this.memory.seen };
		for (const [from, fresh] of this.fresh) {
			seen[from] = [...(seen[from] ?? []).filter((hash) => !fresh.has(hash)), ...fresh];
		}
		return {
			seen,
			pending: this.pendingJobs().filter(({ id }) => !this.isSeen({ id, otherIds: [] })),
		};
	}
}
