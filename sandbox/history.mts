import { isFinal, type Job, type Jobs } from './jobs.mts';
import { seededRandom, type Random } from './random.mts';
import type { SandboxSettings } from './settings.mts';

type ListShape = SandboxSettings['shapes']['list'];

/** Which jobs the generation history lists. */
const IS_SHOWN: Record<ListShape['lists'], (job: Job) => boolean> = {
	all: () => true,
	ended: ({ state }) => isFinal(state),
	image: ({ operation }) => operation.mediaType === 'image',
	video: ({ operation }) => operation.mediaType === 'video',
};

/** The jobs as histories list them, in the order that the settings ask for. */
export class History {
	private readonly random: Random;

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

	/** Newest first. */
	private recent(isShown: (job: Job) => boolean): Job[] {
		return this.jobs.list.filter(isShown).reverse();
	}

	/** @param jobs newest first */
	private arranged(jobs: Job[]): Job[] {
		const { order, repeats } = this.shape;
		if (order === 'shuffled') jobs = this.shuffled(jobs);
		if (order === 'oldest') jobs.reverse();
		return jobs.flatMap((job, index) => (repeats && index > 0 ? [job, job] : [job]));
	}

	private shuffled(jobs: Job[]): Job[] {
		const places = new Map(jobs.map((job) => [job, this.random()]));
		return jobs.toSorted((one, other) => (places.get(one) ?? 0) - (places.get(other) ?? 0));
	}

	private get shape(): ListShape {
		return this.settings.shapes.list;
	}
}
