import { WOKEN } from '../clock/clock';
import { attempt } from '../service/attempt';
import { CONCURRENT_GENERATIONS } from '../spec/limits';
import type { Place } from '../limits/places';

interface Ends {
	/** Fires when the run is over, or leaves its jobs alone. */
	ends: AbortSignal;
}

/** Follows a job on behalf of a run, until the job has ended or the signal fires. */
type Follow<R> = (run: R, signal: AbortSignal) => Promise<unknown>;

interface Detached<R> {
	place: Place;
	follow: Follow<R>;
	isFollowed: boolean;
	/** Fires when the job is no longer detached. */
	freed: AbortController;
}

/**
 * Jobs of an account that nobody waits for. They still run, so each holds its place until it is seen to have ended.
 * Only a run that wants a place follows them: the run that made them may be over.
 */
export class DetachedJobs<R extends Ends> {
	/** By identifier, the oldest first. */
	private readonly jobs = new Map<string, Detached<R>>();

	/** Runs that want places, and how many each wants. */
	private readonly wanting = new Map<R, number>();

	/** Fires when no run wants a place any more. */
	private unwanted = new AbortController();

	/** @param follow must not hold on to the run that has made the job */
	add(id: string, place: Place, follow: Follow<R>): void {
		this.free(id);
		place.rest(true);
		this.jobs.set(id, { place, follow, isFollowed: false, freed: new AbortController() });
		// The service runs no more than these at once, so the oldest must have ended.
		for (const oldest of [...this.jobs.keys()].slice(0, -CONCURRENT_GENERATIONS)) this.free(oldest);
		this.handOut();
	}

	/** Gives a job's place back: the job has ended, or somebody waits for it again. */
	free(id: string): void {
		const job = this.jobs.get(id);
		this.jobs.delete(id);
		job?.place.release();
		job?.freed.abort(WOKEN);
	}

	/**
	 * Notes that a run wants a place.
	 *
	 * @returns to be called when the run no longer wants it
	 */
	want(run: R): () => void {
		this.count(run, 1);
		this.handOut();
		return () => {
			this.count(run, -1);
			if (this.wanting.size > 0) return;
			this.unwanted.abort(WOKEN);
			this.unwanted = new AbortController();
		};
	}

	private count(run: R, change: number): void {
		const count = (this.wanting.get(run) ?? 0) + change;
		if (count > 0) this.wanting.set(run, count);
		else this.wanting.delete(run);
	}

	/** Lets a run that wants a place follow the jobs that nobody follows. */
	private handOut(): void {
		const run = [...this.wanting.keys()].find(({ ends }) => !ends.aborted);
		if (!run) return;
		for (const [id, job] of this.jobs) if (!job.isFollowed) void this.follow(id, job, run);
	}

	private async follow(id: string, job: Detached<R>, run: R): Promise<void> {
		const ends = AbortSignal.any([this.unwanted.signal, job.freed.signal, run.ends]);
		job.isFollowed = true;
		job.place.rest(false);
		await attempt(job.follow(run, ends));
		job.isFollowed = false;
		if (this.jobs.get(id) !== job) return;
		if (!ends.aborted) return this.free(id);
		job.place.rest(true);
		this.handOut();
	}
}
