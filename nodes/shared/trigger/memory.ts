import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

import { MOST_OTHER_IDS } from './listedJob';
import { MOST_ENTRIES } from './readStream';

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
	/** Where its state is read (spec/jobRoutes). */
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
	 * (spec/jobRoutes): first what has not been shown for longest.
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

/** Whether a trigger has remembered nothing yet. */
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

/** What stands for an identifier. */
export function hashOf(id: string): string {
	return createHash('sha256').update(id).digest('base64url').slice(0, HASH_LENGTH);
}
