import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';

import type { ServiceRequest } from '../request/buildRequest';
import type { JobState } from '../spec/states';
import type { Job } from './job';

/** What the ledger knows of one request: its job, or that its outcome is in doubt. */
export interface Entry {
	job?: Job;
	/** A creation whose answer was lost: a job may exist, and may have been paid for. */
	doubt?: string;
	/** The execution that made the entry. */
	executionId?: string;
	/** How the job ended, where it has. */
	ended?: JobState;
}

/** Where a node keeps its ledger. */
export const ENTRIES = 'mediaGenJobs';

/** The ledger that a node has kept (`getContext('node')`). */
export function entriesIn(context: IDataObject): Record<string, Entry> {
	return (context[ENTRIES] ?? {}) as Record<string, Entry>;
}

/**
 * Remembers the paid jobs of a run in the execution itself, so that a node that runs again (*Retry
 * On Fail*, *Retry execution*) waits for them and does not pay twice (money rule 2). Holds
 * identifiers and answers of the service, never the key.
 */
export class Ledger {
	private readonly entries: Record<string, Entry>;

	/**
	 * @param context the node's own part of the execution data (`getContext('node')`)
	 * @param runIndex which run of the node this is (in a loop there are several)
	 */
	constructor(
		context: IDataObject,
		readonly runIndex: number,
	) {
		context[ENTRIES] ??= {};
		this.entries = entriesIn(context);
	}

	find(itemIndex: number, request: ServiceRequest): Entry | undefined {
		return this.entries[this.key(itemIndex, request)];
	}

	remember(itemIndex: number, request: ServiceRequest, entry: Entry): void {
		this.entries[this.key(itemIndex, request)] = entry;
	}

	/** Forgets this run, once its results have been handed on. */
	close(): void {
		const own = Object.keys(this.entries).filter((key) => key.startsWith(`${this.runIndex}:`));
		for (const key of own) delete this.entries[key];
	}

	private key(itemIndex: number, request: ServiceRequest): string {
		const hash = createHash('sha256').update(JSON.stringify(request)).digest('hex');
		return `${this.runIndex}:${itemIndex}:${hash}`;
	}
}
