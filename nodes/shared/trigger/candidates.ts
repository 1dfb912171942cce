import type { ListedJob } from './listedJob';

/** A job that may be news. */
export interface Candidate {
	/** As the first list shows it that shows its end. */
	job: ListedJob;
	/** As other lists show it. */
	twins: ListedJob[];
}

/** Jobs that may be news; what two lists show of one job is one of them. */
export class Candidates {
	private readonly all: Candidate[] = [];
	private readonly byId = new Map<string, Candidate>();

	add(job: ListedJob): void {
		const known = job.ids.map((id) => this.byId.get(id)).find(Boolean);
		const candidate = known ?? { job, twins: [] };
		if (known) {
			known.job = { ...known.job, ids: [...new Set([...known.job.ids, ...job.ids])] };
			known.twins.push(job);
		} else this.all.push(candidate);
		for (const id of job.ids) this.byId.set(id, candidate);
	}

	/** By when they ended; those that do not tell come first. */
	oldestFirst(): Candidate[] {
		const timeOf = ({ job: { endedAt, createdAt = 0 } }: Candidate) => endedAt ?? createdAt;
		return [...this.all].sort((one, other) => timeOf(one) - timeOf(other));
	}
}
