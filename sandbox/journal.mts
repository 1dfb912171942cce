import type { RouteKind } from './routes.mts';

export interface JournalEntry {
	/** When the request arrived, ms since 1970. */
	at: number;
	method: string;
	/** Without the query. */
	path: string;
	query: Record<string, unknown>;
	headers: Record<string, unknown>;
	/** Parsed JSON, or the text as it came where it is not JSON. */
	body: unknown;
	/** HTTP status of the answer; `null` as long as there is none. */
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
