import type { RouteKind } from './routes.mts';

export interface JournalEntry {
	/** When it arrived, ms since 1970. */
	at: number;
	method: string;
	/** Without the query. */
	path: string;
	query: Record<string, unknown>;
	headers: Record<string, unknown>;
	/** Parsed JSON; the text itself where it is none. */
	body: unknown;
	/** HTTP status of the answer; `null` until, and unless, there is one. */
	status: number | null;
	/** When it was answered, ms since 1970. */
	answeredAt?: number;
	kind?: RouteKind;
	/** `resource.operation`. */
	operation?: string;
	fault?: string;
}

/** All requests to the service and its media, in the order of their arrival. */
export class Journal {
	entries: JournalEntry[] = [];

	add(entry: JournalEntry): JournalEntry {
		this.entries.push(entry);
		return entry;
	}

	to(operation: string): JournalEntry[] {
		return this.entries.filter((entry) => entry.operation === operation);
	}

	ofKind(kind: RouteKind): JournalEntry[] {
		return this.entries.filter((entry) => entry.kind === kind);
	}

	clear(): void {
		this.entries = [];
	}
}
