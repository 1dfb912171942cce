import type { Job } from '../jobs.mts';
import { randomUuid, seededRandom } from '../random.mts';

/** One piece of audio that a job has made: a take of a song, or a stem of it. */
export type Take = ReturnType<typeof newTakes>[number];

/** In characters. */
const LONGEST_TITLE = 40;

/** Names of stems by `separation_type`. */
const STEMS: Record<string, (job: Job) => string[]> = {
	separate_vocal: () => ['Vocals', 'Instrumental'],
	// Section "Music catalog" says up to 12 instrument stems, and names none.
	split_stem: () => Array.from({ length: 12 }, (_, index) => `Instrument ${index + 1}`),
	split_stem_advanced: ({ body }) => [String(body.stem_name)],
};

const TAKES: Record<string, (job: Job) => Take[]> = {
	// "Yields two takes."
	generate: (job) => newTakes(job, [`${titleOf(job)} (Take 1)`, `${titleOf(job)} (Take 2)`]),
	stems: (job) => newTakes(job, STEMS[String(job.body.separation_type)]?.(job) ?? []),
	wav: (job) => sourceTakes(job).filter(({ id }) => id === job.body.audio_id),
	recovery: sourceTakes,
};

/** All audio of a job, finished or not; none if it makes something else. */
export function takesOf(job: Job): Take[] {
	const { mediaType, operation } = job.operation;
	if (mediaType !== 'audio') return [];
	return TAKES[operation]?.(job) ?? newTakes(job, [titleOf(job)]);
}

function newTakes(job: Job, titles: readonly string[]) {
	const random = seededRandom(0, `takes of ${job.id}`);
	return titles.map((title, index) => ({
		/** What operations ask for as `audio_id`. */
		id: randomUuid(random),
		title,
		...filesOf(job, index),
	}));
}

/** The takes of the source, in files of this job. */
function sourceTakes(job: Job): Take[] {
	const takes = job.source ? takesOf(job.source) : [];
	return takes.map((take, index) => ({ ...take, ...filesOf(job, index) }));
}

function filesOf({ id }: Job, index: number) {
	const name = `${id}-${index + 1}`;
	return { audio: `${name}.wav`, picture: `${name}.png` };
}

/** What a job's audio is called: the title in its request, or the start of its prompt, or its operation. */
function titleOf({ body, operation }: Job): string {
	const named = [body.title, body.prompt].find((text) => typeof text === 'string' && text !== '');
	return named === undefined ? operation.label : String(named).slice(0, LONGEST_TITLE);
}
