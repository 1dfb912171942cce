import type { Values } from '../nodes/shared/spec/values.ts';
import type { CreateOperation } from '../nodes/shared/spec/operation.ts';
import { STATES } from '../test/document.mts';
import type { Served } from './documented.mts';
import { randomUuid, seededRandom, wholeBetween, type Random } from './random.mts';
import type { SandboxSettings } from './settings.mts';
import { withDefaults } from './values.mts';

/** Section "States and transitions". */
export type JobState = (typeof STATES)[number];

export const [QUEUED, PROCESSING, COMPLETED, FAILED] = STATES;

/** Whether a job has ended in this state. */
export const isFinal = (state: JobState): boolean => state === COMPLETED || state === FAILED;

/** One generation; its state follows from the clock alone (section "States and transitions"). */
export interface Job {
	readonly state: JobState;
	id: string;
	/** Name under which the creation returned the identifier. */
	idField: string;
	operation: Served<CreateOperation>;
	/** The body of the creation, with facts about the files of a form instead of their bytes. */
	body: Values;
	/** The earlier job whose result this job works on. */
	source?: Job;
	credits: number;
	/** ms since 1970. */
	createdAt: number;
	/** When `queued` ends, ms since 1970. */
	startsAt: number;
	/** When the job ends, ms since 1970. */
	endsAt: number;
	outcome: JobState;
}

/** The model that a job asks for, where its operation offers a choice. */
export function modelOf({ operation, body }: Job): unknown {
	const request = withDefaults(operation, body);
	return request.video_model ?? request.model;
}

export class Jobs {
	readonly list: Job[] = [];
	private readonly byId = new Map<string, Job>();
	/** Jobs that have not been seen to end. */
	private unfinished: Job[] = [];
	private readonly random: Random;

	constructor(private readonly settings: SandboxSettings) {
		this.random = seededRandom(settings.seed, 'jobs');
	}

	create(facts: Pick<Job, 'idField' | 'operation' | 'body' | 'credits' | 'source'>): Job {
		const { clock, jobMs, queuedMs, failPrompt, shapes } = this.settings;
		const isNumber = shapes.creation.ids === 'number';
		const createdAt = clock.now();
		const job: Job = {
			...facts,
			id: isNumber ? String(70_001 + this.list.length) : randomUuid(this.random),
			createdAt,
			startsAt: createdAt + queuedMs,
			endsAt: createdAt + wholeBetween(this.random, jobMs.min, jobMs.max),
			outcome: mentions(facts.body, failPrompt) ? FAILED : COMPLETED,
			get state() {
				if (clock.now() >= this.endsAt) return this.outcome;
				return clock.now() < this.startsAt ? QUEUED : PROCESSING;
			},
		};
		this.list.push(job);
		this.byId.set(job.id, job);
		this.unfinished.push(job);
		return job;
	}

	find(id: string): Job | undefined {
		return this.byId.get(id);
	}

	running(): Job[] {
		this.unfinished = this.unfinished.filter((job) => !isFinal(job.state));
		return [...this.unfinished];
	}
}

/** Looks in lists and objects, too: fields that the document does not show may be anywhere. */
function mentions(value: unknown, marker: string): boolean {
	if (typeof value === 'string') return value.includes(marker);
	return Object.values(Object(value) as object).some((part) => mentions(part, marker));
}
