import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { JobList } from '../spec/types';
import { MOST_ENTRIES, MOST_OTHER_IDS, type ListedJob } from './listedJobs';

/** Marks of an ended job: its own identifier, others, and the URL of its result. */
const MOST_MARKS = 1 + MOST_OTHER_IDS + 1;

/** Marks of the jobs of one list that are remembered: of all that it can show, and of some that it has shown. */
const MOST_SEEN = MOST_MARKS * MOST_ENTRIES + 2000;

/** Jobs that are waited for: an account runs five at a time. */
const MOST_PENDING = 200;

/** Characters that stand for an identifier: among thousands, two are alike once in a million years. */
const HASH_LENGTH = 10;

/** The name under which n8n keeps it for the node. */
const NAME = 'jobs';

const pendingSchema = z.object({
	id: z.string(),
	/** Where its state is read (spec/jobs). */
	startedWith: z.string(),
	/** Polls since a list has last shown it. */
	missed: z.number().int().nonnegative(),
	/** Times that its status could not be read although its list says that it has ended. */
	unread: z.number().int().nonnegative().default(0),
	/** Times that its status has contradicted its list, which says that it has ended. */
	contradicted: z.number().int().nonnegative().default(0),
});

const memorySchema = z.object({
	/** The streams whose jobs were there when the trigger began to watch. */
	streams: z.record(
		z.object({
			/** The newest job so far, ms since 1970 by the clock of the service. */
			newest: z.number().optional(),
			/** What is older, and unknown, is no news: it was there before, or has been forgotten. */
			horizon: z.number().optional(),
			/** Unless it has ended later than that: set where the list was not read to its end at first. */
			begunAt: z.number().optional(),
		}),
	),
	/**
	 * Ended jobs that have been handed on, or were not wanted, or were there, by where they come from
	 * (spec/jobs): first what has not been shown for longest.
	 */
	seen: z.record(z.array(z.string())),
	/** Jobs that were listed and have not ended. */
	pending: z.array(pendingSchema),
	/** Stands for the address of the service that they are jobs of. */
	service: z.string(),
	/** The last poll did not get through all that it had found: known ground is no end to the next. */
	isBehind: z.boolean(),
});

export type TriggerMemory = z.infer<typeof memorySchema>;
export type PendingJob = z.infer<typeof pendingSchema>;

const EMPTY: TriggerMemory = { streams: {}, seen: {}, pending: [], service: '', isBehind: false };

export const isEmpty = ({ streams }: TriggerMemory) => Object.keys(streams).length === 0;

/** What a trigger remembers, of what n8n keeps for its node; nothing, where that is not ours. */
export function memoryIn(staticData: IDataObject): TriggerMemory {
	const kept = memorySchema.safeParse(staticData[NAME]);
	return kept.success ? kept.data : EMPTY;
}

/** Puts it there whole; n8n stores it with the execution that the poll starts. */
export function keepIn(staticData: IDataObject, memory: TriggerMemory): void {
	const { seen, pending } = memory;
	const kept: TriggerMemory = {
		...memory,
		seen: Object.fromEntries(
			Object.entries(seen).map(([from, marks]) => [from, marks.slice(-MOST_SEEN)]),
		),
		pending: pending.slice(-MOST_PENDING),
	};
	staticData[NAME] = kept as unknown as IDataObject;
}

export function hashOf(id: string): string {
	return createHash('sha256').update(id).digest('base64url').slice(0, HASH_LENGTH);
}

/**
 * Names by which a job is remembered. An identifier of its own, and others that its entry has: several jobs
 * may have one of those in common, such as that of the order that they belong to.
 */
type Named = Pick<ListedJob, 'id' | 'otherIds'>;

const other = (id: string) => `+${id}`;

export const namesOf = ({ id, otherIds }: Named): string[] => [id, ...otherIds.map(other)];

/** Names by which the same job may have been remembered: what is its own to one is another to the other. */
export const aliasesOf = ({ id, otherIds }: Named): string[] => [id, other(id), ...otherIds];

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

	forget({ id, otherIds }: Named): void {
		for (const one of [id, ...otherIds]) this.pending.delete(one);
	}

	/** Whether something was marked, such as a name, or the URL of a result. */
	hasMark = (text: string) => this.seen.has(hashOf(text));

	mark(text: string, { route }: Pick<JobList, 'route'>): void {
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
