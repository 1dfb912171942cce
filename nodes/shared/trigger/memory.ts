import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import type { JobList } from '../spec/types';
import { MOST_ENTRIES, MOST_OTHER_IDS, type ListedJob } from './listedJobs';

/** How many marks an ended job has: for its own identifier, for others, and for the URL of its result. */
const MOST_MARKS = 1 + MOST_OTHER_IDS + 1;

/** How many marks are remembered for one list: for all jobs that it can show, and for some that it showed once. */
const MOST_SEEN = MOST_MARKS * MOST_ENTRIES + 2000;

/** How many jobs are waited for at most: an account runs five at a time. */
const MOST_PENDING = 200;

/** How many characters stand for an identifier: among thousands, two are alike once in a million years. */
const HASH_LENGTH = 10;

/** The name of the memory in the node's static data. */
const NAME = 'jobs';

const pendingSchema = z.object({
	id: z.string(),
	/** Names where its status is read (spec/jobs). */
	startedWith: z.string(),
	/** How many polls there were since a list last showed it. */
	missed: z.number().int().nonnegative(),
	/** How many times its status could not be read although its list says that it has ended. */
	unread: z.number().int().nonnegative().default(0),
	/** For how many polls its list has said that it has ended, while its status, when last read, said otherwise. */
	contradicted: z.number().int().nonnegative().default(0),
});

const memorySchema = z.object({
	/** What is remembered of the streams that the trigger watches, by key. */
	streams: z.record(
		z.object({
			/** When the newest job so far was created, ms since 1970 by the clock of the service. */
			newest: z.number().optional(),
			/** An unknown job from before this time is no news: it was there before, or has been forgotten. */
			horizon: z.number().optional(),
			/** But one that ended after this time is news. Set if the list was not read to its end at first. */
			begunAt: z.number().optional(),
		}),
	),
	/**
	 * Marks of ended jobs that were handed on, not wanted, or there from the start, by where they come from
	 * (spec/jobs). Those that no list has shown for longest come first.
	 */
	seen: z.record(z.array(z.string())),
	/** Jobs that were listed and have not ended. */
	pending: z.array(pendingSchema),
	/** Stands for the base URL of the service that the jobs belong to. */
	service: z.string(),
	/** The last poll did not decide on all that it found, so the next one does not stop at known ground. */
	isBehind: z.boolean(),
});

export type TriggerMemory = z.infer<typeof memorySchema>;
export type PendingJob = z.infer<typeof pendingSchema>;

const EMPTY: TriggerMemory = { streams: {}, seen: {}, pending: [], service: '', isBehind: false };

export const isEmpty = ({ streams }: TriggerMemory) => Object.keys(streams).length === 0;

/** What a trigger remembers, from the static data of its node; nothing, if that is not ours. */
export function memoryIn(staticData: IDataObject): TriggerMemory {
	const kept = memorySchema.safeParse(staticData[NAME]);
	return kept.success ? kept.data : EMPTY;
}

/** Puts the memory into the static data as a whole; n8n stores it with the execution that the poll starts. */
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
 * Names by which a job is remembered: its own identifier, and others in its entry. Several jobs may share one
 * of the others, such as the ID of the order that they belong to.
 */
type Named = Pick<ListedJob, 'id' | 'otherIds'>;

const other = (id: string) => `+${id}`;

export const namesOf = ({ id, otherIds }: Named): string[] => [id, ...otherIds.map(other)];

/** Names by which the same job may have been remembered: its own identifier may be one of the others elsewhere. */
export const aliasesOf = ({ id, otherIds }: Named): string[] => [id, other(id), ...otherIds];

/** What is known of the jobs of an account while a trigger looks at them. */
export class KnownJobs {
	private readonly seen: Set<string>;
	/** Marks of jobs that a list shows now, by source: they are the last to be forgotten. */
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

	/** Waits for the end of the job, unless it is known to have ended. */
	waitFor(job: ListedJob, counts: Partial<PendingJob> = {}): void {
		if (this.isSeen(job)) return;
		const { unread = 0, contradicted = 0 } = this.pendingOf(job) ?? {};
		const { id, source } = job;
		// The entry may have an identifier by now that it did not have before.
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
