import type { Told } from './tell.mts';

/** How often there was something to get wrong, over all stories of a suite. */
export class Tally {
	readonly counts: Record<string, number> = {};

	add({ story, n8n, triggers }: Told): void {
		const { order = '', lists = '', body = '', ...list } = story.settings.shapes!.list!;
		this.count(`keeping in ${story.keeping}`);
		this.count(`order ${order}`);
		this.count(`lists ${lists}`);
		this.count(`body ${body}`);
		for (const name of ['maxPage', 'repeats', 'ignoresOffset', 'keeps'] as const) {
			if (list[name]) this.count(name);
		}
		for (const { kind } of story.happenings) this.count(kind);
		for (const { kind, fault } of n8n.state.journal.entries) {
			if (fault) this.count(`${fault} at ${kind}`);
		}
		for (const { workflow, deeds } of triggers) {
			for (const { kind } of deeds) this.count(`workflow ${kind}`);
			this.count('polls', workflow.polls.length);
			this.count('overlaps', workflow.overlaps);
			this.count('failures', workflow.failures.length);
			for (const { json } of workflow.items) this.count(`fired ${String(json.status)}`);
		}
	}

	private count(what: string, times = 1): void {
		this.counts[what] = (this.counts[what] ?? 0) + times;
	}
}
