import type { CreateOperation } from '../../../nodes/shared/spec/operation.ts';
import type { Job } from '../../../sandbox/jobs.mts';
import { resultFile } from '../../../sandbox/media.mts';
import { takesOf } from '../../../sandbox/music/takes.mts';
import { BASE_URL } from '../../support/virtualNetwork.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { CREATIONS, parametersOf } from './requests.mts';
import { answerShapes, type AnswerShape } from './shapes.mts';
import { ALL } from '../../support/sampled.mts';
import { kindOf } from '../../support/operations.mts';

/** Jobs are short; one that is not seen to end takes the time-out. */
const JOB_MS = { min: 500, max: 1500 };
const TIMEOUT_S = 60;

/**
 * Every creation of every node, with answers in every layout: what is paid for is found under its
 * identifier, seen to end, and its result is put out.
 */
test.each(CREATIONS.map((creation, turn) => ({ ...creation, turn })))(
	'$name: no job is lost and each is seen to end, however the service answers',
	async ({ catalog, operation, turn }) => {
		const wrong: string[] = [];
		for (const shape of shapesFor(operation, turn)) {
			const problem = await problemWith(operation, shape, catalog);
			if (problem !== undefined) wrong.push(`${shape.title}: ${problem}`);
		}
		expect(wrong).toEqual([]);
	},
	60_000,
);

/** All of them for the first creation of a family, some of them for its others. */
function shapesFor(operation: CreateOperation, turn: number): AnswerShape[] {
	const { resource } = operation;
	const first = CREATIONS.find((creation) => creation.operation.resource === resource);
	const shapes = answerShapes(operation, turn);
	const every = ALL ? 1 : 4;
	const rate = first?.operation === operation ? every : 16 * every;
	return shapes.filter((_, index) => (index + turn) % rate === 0);
}

async function problemWith(
	operation: CreateOperation,
	{ shapes, credential }: AnswerShape,
	catalog: (typeof CREATIONS)[number]['catalog'],
): Promise<string | undefined> {
	const settings = { shapes, jobMs: JOB_MS, queuedMs: 300, credits: { purchased: 1_000_000 } };
	const n8n = new VirtualN8n({ settings }, credential);
	const parameters = await parametersOf(n8n, operation);
	const before = n8n.state.jobs.list.length;
	const { items, error } = await n8n.clock.run(
		n8n.execute({
			items: [{}],
			parameters: { ...parameters, options: { timeout: TIMEOUT_S } },
			kind: kindOf(catalog),
		}),
	);
	const [job, ...more] = n8n.state.jobs.list.slice(before);
	if (error) return `${error.message} ${error.description}`;
	if (!job || more.length > 0) return `${more.length + Number(job !== undefined)} jobs were made`;
	const { jobId, status, mediaUrl, mediaUrls, details } = items[0]?.json ?? {};
	if (jobId !== job.id) return `job ${job.id} is called ${String(jobId)}`;
	if (status !== 'completed') return `is ${String(status)}`;
	if (typeof Object(details).startedWith !== 'string')
		return 'does not say what it was started with';
	if (mediaUrl !== (mediaUrls as string[] | undefined)?.[0]) return `${mediaUrl} is not the first`;
	return problemOfUrls(job, mediaUrls as string[]);
}

/** The URLs that are put out must be those of the job's own files. */
function problemOfUrls(job: Job, urls: readonly string[]): string | undefined {
	const { mediaType } = job.operation;
	if (mediaType === undefined || mediaType === 'text') return undefined;
	const files = mediaType === 'audio' ? takesOf(job).map(({ audio }) => audio) : [resultFile(job)];
	const own = files.map((file) => `${BASE_URL}/media/${file}`);
	return urls.toString() === own.toString() ? undefined : `has ${urls}, not ${own}`;
}
