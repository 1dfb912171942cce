import { createHash } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v3';

/** How many marks of a list are kept: two for each job that one reading can show, and some. */
const MOST_MARKS = 5000;

/** How many characters stand for a text: among thousands of texts, two are alike once in a million years. */
const MARK_LENGTH = 10;

/** The name of the marks in the node's static data. */
const NAME = 'jobs';

const schema = z.record(z.array(z.string()));

/** Marks by the key of the list that they come from; those that it has shown last are at the end. */
export type Marks = z.infer<typeof schema>;

/** What a trigger remembers: the ended jobs that were handed on, not wanted, or there from the start. */
export class Seen {
	private readonly kept: Marks;
	private readonly fresh: Record<string, Set<string>> = {};
	private readonly all: Set<string>;

	/**
	 * @param staticData of the node, as n8n has stored it
	 * @param last what the last poll of this process remembered: n8n does not store that of each poll, and nothing under
	 * the new name of a node
	 */
	constructor(staticData: IDataObject, last: Marks = {}) {
		const stored = schema.safeParse(staticData[NAME]);
		this.kept = { ...last };
		for (const [list, marks] of Object.entries(stored.success ? stored.data : {})) {
			this.kept[list] = [...marks, ...(last[list] ?? [])];
		}
		this.all = new Set(Object.values(this.kept).flat());
	}

	/** Whether the list was watched before. */
	isWatched = (list: string): boolean => list in this.kept;

	/** Whether one of the texts was added: identifiers of jobs, for instance. */
	hasAny = (...texts: string[]): boolean => texts.some((text) => this.all.has(markOf(text)));

	/** Watches the list from now on, and adds texts that it stands for. */
	add(list: string, ...texts: string[]): void {
		const fresh = (this.fresh[list] ??= new Set());
		for (const mark of texts.map(markOf)) {
			this.all.add(mark);
			fresh.add(mark);
		}
	}

	/** Puts the marks of these lists into the static data; n8n stores it with the execution that the poll starts. */
	keepIn(staticData: IDataObject, lists: ReadonlyArray<{ key: string }>): Marks {
		const marks: Marks = {};
		for (const { key: list } of lists) {
			if (!(list in this.fresh) && !(list in this.kept)) continue;
			const fresh = this.fresh[list] ?? new Set();
			const others = new Set((this.kept[list] ?? []).filter((mark) => !fresh.has(mark)));
			marks[list] = [...others, ...fresh].slice(-MOST_MARKS);
		}
		// A copy, since n8n watches what is there for changes.
		staticData[NAME] = structuredClone(marks);
		return marks;
	}
}

const markOf = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, MARK_LENGTH);
