import { isFinal, PROCESSING, type Job, type Jobs } from './jobs.mts';
import { seededRandom, wholeBetween, type Random } from './random.mts';
import type { SandboxSettings } from './settings.mts';

type ListShape = SandboxSettings['shapes']['list'];

/** Which jobs the generation history lists. */
const IS_SHOWN: Record<ListShape['lists'], (job: Job) => boolean> = {
	all: () => true,
	ended: ({ state }) => isFinal(state),
	image: ({ operation }) => operation.mediaType === 'image',
	video: ({ operation }) => operation.mediaType === 'video',
};

/**
 * The jobs as histories list them: later than the jobs' own records show them, in the order and
 * number that the settings ask for.
 */
export class History {
	private readonly random: Random;
	/** First draws, by seed and stream. They are kept because each list needs those of all jobs. */
	private readonly draws = new Map<string, number>();

	constructor(
		private readonly settings: SandboxSettings,
		private readonly jobs: Jobs,
	) {
		this.random = seededRandom(settings.seed, 'history');
	}

	generations(type: unknown): Job[] {
		const isShown = IS_SHOWN[this.shape.lists];
		const jobs = this.recent((job) => this.isListed(job) && isShown(job));
		const isWanted = ({ operation }: Job) => type === undefined || operation.mediaType === type;
		return this.arranged(jobs.filter(isWanted));
	}

	/** The jobs of a family that has a history of its own. */
	ofFamily(resource: string): Job[] {
		const isShown = (job: Job) =>
			job.operation.resource === resource ||
			(this.isOpen(job) && this.settings.shapes.served === 'studio');
		return this.arranged(this.recent(isShown));
	}

	private isListed = (job: Job): boolean =>
		!('only' in job.operation.status) &&
		(!this.isOpen(job) || !['studio', 'none'].includes(this.settings.shapes.served));

	private isOpen = ({ operation: { status } }: Job) => typeof status.path !== 'string';

	/** Newest first, at most as many as the history keeps. */
	private recent(isShown: (job: Job) => boolean): Job[] {
		const { lagMs, keeps } = this.shape;
		return this.jobs.list
			.filter((job) => this.hasPassed(job.createdAt, lagMs, `list ${job.id}`))
			.map((job) => this.asSeen(job))
			.filter(isShown)
			.reverse()
			.slice(0, keeps ?? Infinity);
	}

	private asSeen(job: Job): Job {
		const isBehind =
			isFinal(job.state) && !this.hasPassed(job.endsAt, this.shape.stateLagMs, `end ${job.id}`);
		return isBehind ? { ...job, state: PROCESSING } : job;
	}

	private hasPassed(at: number, { min, max }: ListShape['lagMs'], stream: string): boolean {
		// No draw where there is no choice: each takes a hash, which adds up over many jobs.
		const lag = min === max ? min : wholeBetween(() => this.drawn(stream), min, max);
		return this.settings.clock.now() >= at + lag;
	}

	/** The same number each time for a stream. */
	private readonly drawn = (stream: string): number => {
		const { seed } = this.settings;
		const key = `${seed} ${stream}`;
		const draw = this.draws.get(key) ?? seededRandom(seed, stream)();
		this.draws.set(key, draw);
		return draw;
	};

	/** @param jobs newest first */
	private arranged(jobs: Job[]): Job[] {
		const { order, repeats } = this.shape;
		const isDrawn = order === 'shuffled' || order === 'fixed';
		const placeOf = ({ id }: Job) =>
			order === 'shuffled' ? this.random() : this.drawn(`place ${id}`);
		const ordered = isDrawn ? sorted(jobs, placeOf) : order === 'oldest' ? jobs.reverse() : jobs;
		return ordered.flatMap((job, index) => (repeats && index > 0 ? [job, job] : [job]));
	}

	private get shape(): ListShape {
		return this.settings.shapes.list;
	}
}

function sorted(jobs: Job[], placeOf: (job: Job) => number): Job[] {
	const places = new Map(jobs.map((job) => [job, placeOf(job)]));
	return jobs.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
}
