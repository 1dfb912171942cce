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
	private readonly kept = new Map<string, Set<string>>();

	/**
	 * @param staticData of the node, as n8n has stored it
	 * @param last what the last poll of this process remembered: n8n does not store that of each poll, and nothing under
	 * the new name of a node
	 */
	constructor(staticData: IDataObject, last: Marks = {}) {
		const stored = schema.catch({}).parse(staticData[NAME]);
		for (const [list, marks] of [...Object.entries(stored), ...Object.entries(last)]) {
			this.kept.set(list, new Set([...(this.kept.get(list) ?? []), ...marks]));
		}
	}

	/** Whether the list is watched. */
	isWatched = (list: string): boolean => this.kept.has(list);

	/** Whether one of the texts was added: identifiers of jobs, for instance. */
	hasAny = (...texts: string[]): boolean =>
		texts.map(markOf).some((mark) => [...this.kept.values()].some((marks) => marks.has(mark)));

	/** Watches the list from now on, and adds texts that it stands for. */
	add(list: string, ...texts: string[]): void {
		const marks = this.kept.get(list) ?? new Set();
		for (const mark of texts.map(markOf)) {
			// At the end, also if it was there.
			marks.delete(mark);
			marks.add(mark);
		}
		this.kept.set(list, marks);
	}

	/** Puts the marks of these lists into the static data; n8n stores it with the execution that the poll starts. */
	keepIn(staticData: IDataObject, lists: ReadonlyArray<{ key: string }>): Marks {
		const marks: Marks = {};
		for (const { key } of lists) {
			const kept = this.kept.get(key);
			if (kept) marks[key] = [...kept].slice(-MOST_MARKS);
		}
		// A copy, since n8n watches what is there for changes.
		staticData[NAME] = structuredClone(marks);
		return marks;
	}
}

const markOf = (text: string): string =>
	createHash('sha256').update(text).digest('base64url').slice(0, MARK_LENGTH);
