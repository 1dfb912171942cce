import type { ListedJob } from './listedJob';
import { aliasesOf, namesOf } from './names';

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
	private readonly byName = new Map<string, Candidate>();

	add(job: ListedJob): void {
		const known = aliasesOf(job)
			.map((name) => this.byName.get(name))
			.find(Boolean);
		const candidate = known ?? { job, twins: [] };
		if (known) known.twins.push(job);
		else this.all.push(candidate);
		for (const name of namesOf(job)) this.byName.set(name, candidate);
	}

	/** By when they ended; those that do not tell come first. */
	oldestFirst(): Candidate[] {
		const timeOf = ({ job: { endedAt, createdAt = 0 } }: Candidate) => endedAt ?? createdAt;
		return [...this.all].sort((one, other) => timeOf(one) - timeOf(other));
	}
}
