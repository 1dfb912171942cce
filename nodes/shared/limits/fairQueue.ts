/**
 * Entries that wait, in one line for each owner (a run of a node). Owners are served in turn, so
 * that a long line does not starve a short one; within a line, who came first is served first.
 */
export class FairQueue<T> {
	/** Who was served least recently comes first. */
	private readonly lines = new Map<object, T[]>();

	get isEmpty(): boolean {
		return this.lines.size === 0;
	}

	get size(): number {
		return [...this.lines.values()].reduce((sum, { length }) => sum + length, 0);
	}

	/** @param isFirst before the others of the owner: it has had its turn once, in vain */
	push(owner: object, entry: T, isFirst = false): void {
		const line = this.lines.get(owner) ?? [];
		if (isFirst) line.unshift(entry);
		else line.push(entry);
		this.lines.set(owner, line);
	}

	/**
	 * Takes the entry whose turn it is; `undefined` when none may be taken.
	 *
	 * @param rank the least comes first, of equals who was served least recently; `undefined` for an
	 *   owner who may not be served
	 */
	take(rank: (owner: object, entry: T) => number | undefined = () => 0): T | undefined {
		let chosen: { owner: object; line: T[]; at: number } | undefined;
		for (const [owner, line] of this.lines) {
			const at = rank(owner, line[0]!);
			if (at !== undefined && (!chosen || at < chosen.at)) chosen = { owner, line, at };
		}
		if (!chosen) return undefined;
		const entry = chosen.line.shift();
		this.lines.delete(chosen.owner);
		if (chosen.line.length > 0) this.lines.set(chosen.owner, chosen.line);
		return entry;
	}

	/** Lets go of an entry that no longer waits. */
	remove(owner: object, entry: T): void {
		const line = this.lines.get(owner) ?? [];
		const index = line.indexOf(entry);
		if (index < 0) return;
		line.splice(index, 1);
		if (line.length === 0) this.lines.delete(owner);
	}
}
