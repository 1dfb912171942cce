import { Readable } from 'node:stream';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { JOB_HISTORY } from '../../nodes/shared/spec/jobs.ts';
import { GENERATION_STATUS } from '../../nodes/shared/spec/answers.ts';
import { seededRandom, wholeBetween } from '../../sandbox/random.mts';
import type { RawAnswer } from '../../test/support/virtualNetwork.mts';
import type { VirtualClock } from '../../test/support/virtualClock.mts';
import { IMAGE } from './virtualJobs.mts';

/** The most jobs that the history shows. */
const MOST_LISTED = 50;

const LATENCY_MS = 40;

interface Job {
	number: number;
	createdAt: number;
	endsAt: number;
	prompt: unknown;
}

/**
 * A service of images that uses hardly any processor time and remembers only the latest jobs, so that the process's
 * time and memory are the node's. It does not check requests.
 */
export class LightService {
	private readonly random = seededRandom(1, 'light');
	private latest: Job[] = [];
	private made = 0;

	/** Called with each answer. */
	onAnswer = async () => {};

	constructor(private readonly clock: VirtualClock) {}

	/** Answers as n8n's helper does for a request with `encoding: 'stream'`. */
	readonly send = async (request: IHttpRequestOptions): Promise<RawAnswer> => {
		await this.clock.sleep(LATENCY_MS);
		const { statusCode, json } = this.answer(request);
		await this.clock.hold(this.onAnswer());
		const body = Readable.from([Buffer.from(JSON.stringify(json))]);
		body.once('close', this.clock.begin());
		return { statusCode, headers: { 'content-type': 'application/json' }, body };
	};

	private answer({ method, url, qs, body }: IHttpRequestOptions) {
		if (method === 'POST') return { statusCode: 201, json: this.create(body as IDataObject) };
		const { pathname } = new URL(url);
		if (pathname === JOB_HISTORY.path) {
			return {
				statusCode: 200,
				json: this.latest.slice(0, Number(qs?.limit)).map((job) => this.recordOf(job)),
			};
		}
		const id = pathname.split('/').filter(Boolean).at(-1);
		const job = this.latest.find((one) => idOf(one) === id);
		if (!job) return { statusCode: 404, json: { success: false, error: 'Not found' } };
		return { statusCode: 200, json: this.recordOf(job) };
	}

	private create({ prompt }: IDataObject) {
		const createdAt = this.clock.now();
		const { min, max } = IMAGE.takes;
		const endsAt = createdAt + wholeBetween(this.random, min, max);
		const job = { number: ++this.made, createdAt, endsAt, prompt };
		this.latest = [job, ...this.latest].slice(0, MOST_LISTED);
		return {
			generation_id: idOf(job),
			status: 'queued',
			credits_used: CREDITS,
			credits_remaining: 1_000_000 - this.made,
		};
	}

	/** Section "Generation record". */
	private recordOf(job: Job) {
		const { createdAt, endsAt, prompt } = job;
		const hasEnded = this.clock.now() >= endsAt;
		return {
			id: idOf(job),
			status: hasEnded ? 'completed' : 'processing',
			generation_type: 'image',
			prompt,
			credits_used: CREDITS,
			created_at: new Date(createdAt).toISOString(),
			...(hasEnded && {
				completed_at: new Date(endsAt).toISOString(),
				[GENERATION_STATUS.urlFields.image ?? 'image_url']:
					`https://media.service.example/generations/${idOf(job)}.png`,
			}),
		};
	}
}

/** An identifier as long as the service's own. */
const idOf = ({ number }: Job) =>
	`9a7ad2e0-0000-4000-8000-${number.toString(16).padStart(12, '0')}`;

const CREDITS = 8;
