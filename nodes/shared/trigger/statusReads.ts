import type { Clock } from '../clock/clock';
import { attempt, type Attempt } from '../service/attempt';
import type { Service } from '../service/service';
import { asItsStatusTells, type EndedJob } from './endedJob';
import type { ListedJob } from './listedJob';

/** Jobs whose own status one poll reads. */
const MOST = 20;

/** Reads the status of jobs, so many in one poll. */
export class StatusReads {
	private left = MOST;

	constructor(
		private readonly service: Service,
		private readonly clock: Clock,
	) {}

	get areUsedUp(): boolean {
		return this.left <= 0;
	}

	async read(job: ListedJob): Promise<Attempt<EndedJob>> {
		this.left--;
		return await attempt(asItsStatusTells(job, this.service, this.clock));
	}
}
