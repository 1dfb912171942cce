import { z } from 'zod';

import { CATALOGS } from '../nodes/shared/spec/catalogs.ts';
import type { Catalog } from '../nodes/shared/spec/operation.ts';
import { VIDEO_FAMILIES } from '../nodes/shared/spec/video/families.ts';
import { LIMITS } from '../test/document.mts';
import { secret } from './account.mts';
import { REAL_CLOCK, type Clock } from './clock.mts';

/**
 * Made up: the paths of what the document shows without a path. The names are those of the open
 * points, and of the settings in the credential.
 */
export const OPEN_PATHS = {
	...Object.fromEntries(
		VIDEO_FAMILIES.flatMap(({ creations }) => creations).flatMap(({ path }) =>
			typeof path === 'string' ? [] : [[path.openPoint, `/open/${path.openPoint}/`]],
		),
	),
	musicSubmitPath: '/open/music/{operation}/',
	musicStatusPath: '/open/music/status/{job_id}/',
	musicCatalogPath: '/open/music/catalog/{language}/',
};

const milliseconds = z.number().int().min(0);
const credits = z.number().int().min(0);
const path = z.string().startsWith('/');
const name = z.string().min(1);

/** A secret that is drawn anew each time unless it is given. */
const drawn = (prefix: string) => name.default(() => secret(prefix));

/** A time in ms that is drawn for each job, from `min` to `max`, both included. */
function drawnMs(min: number, max: number) {
	return z
		.strictObject({ min: milliseconds.default(min), max: milliseconds.default(max) })
		.refine((range) => range.min <= range.max, 'min is greater than max')
		.default({});
}

const limitsSchema = z.strictObject({
	/** Most requests that are served in any window; the next one is answered with 429. */
	requestsPerWindow: z.number().int().min(1).default(LIMITS.user.requests),
	windowMs: milliseconds.min(1).default(LIMITS.user.windowMs),
	/** Most unfinished generations; the creation of one more is answered with 429. */
	concurrent: z.number().int().min(1).default(LIMITS.concurrentGenerations),
});

/** What is next to `data`, not in it: nothing, identifiers and state, or everything else. */
const beside = z.enum(['nothing', 'identity', 'rest']).default('nothing');

/** The answer to a creation, where the document does not show its body. */
const creationShape = z.strictObject({
	/** In `{ success, data }` rather than flat. */
	enveloped: z.boolean().default(true),
	beside,
	/** `generation_id`, `task_id`, `job_id`, `id` or any other name. */
	idField: name.default('generation_id'),
	/** Field of another identifier, which is no job's; none when null. */
	secondId: name.nullable().default(null),
	/** Texts or numbers. */
	ids: z.enum(['uuid', 'number']).default('uuid'),
	stateField: name.default('status'),
	/** Carries `credits_used` and `credits_remaining`. */
	credits: z.boolean().default(true),
	/** Carries a link to the status: in a field `status_url`. */
	link: z.enum(['none', 'field']).default('none'),
});

/** Records of jobs, where the document does not show them. */
const recordShape = z.strictObject({
	/**
	 * Where a result URL without a documented field goes: a dotted path, with `[]` for a list of
	 * one, such as `url`, `result.url`, `images[]`, `images[].url`. When null, `image_url` or
	 * `video_url`, depending on the job.
	 */
	resultUrl: name.nullable().default(null),
	/** Where a second URL goes, which is that of a thumbnail; none when null. */
	secondUrl: name.nullable().default(null),
	/** Repeats the request's body under `request`. */
	echo: z.boolean().default(false),
	/** Records that are not shown: in `{ success, data }` rather than flat. */
	enveloped: z.boolean().default(false),
	beside,
	/** Records that are not shown: field of the state. */
	stateField: name.default('status'),
	/** Records that are not shown: have a field `status` as well, which is not the state. */
	oddStatus: z.boolean().default(false),
	upperCase: z.boolean().default(false),
});

/** Entries of histories. Where a setting is null, they are like the records of the status routes. */
export const entryShape = z.strictObject({
	idField: name.nullable().default(null),
	stateField: name.nullable().default(null),
	/** Have the URLs of results. */
	urls: z.boolean().default(true),
	/** Have `generation_type`; when null, only in the generation history. */
	types: z.boolean().nullable().default(null),
	/** Have `created_at` and `completed_at`; when null, only in the generation history. */
	times: z.boolean().nullable().default(null),
	/** Each in `{ data }`. */
	enveloped: z.boolean().default(false),
});

/** Bodies of histories and model listings, and what histories list. */
const listShape = z.strictObject({
	/** `array` is `[…]`, `none` no list at all; the others: see `LIST_BODIES`. */
	body: z.enum(['array', 'results', 'items', 'data', 'dataResults', 'none']).default('array'),
	/** What the generation history lists: all, jobs that have ended, or those of one type. */
	lists: z.enum(['all', 'ended', 'image', 'video']).default('all'),
	/** Times in histories have a time zone. */
	zone: z.boolean().default(true),
	/** Prompts in the generation history are without white space around them. */
	trimmed: z.boolean().default(false),
	/** Entries in an answer to a request without a limit. */
	pageSize: z.number().int().min(1).default(20),
	/** Most entries in an answer, whatever limit is sent; no bound when null. */
	maxPage: z.number().int().min(1).nullable().default(null),
	/** Order of jobs in histories, by creation; `shuffled` is another order in each answer. */
	order: z.enum(['newest', 'oldest', 'shuffled']).default('newest'),
	/**
	 * Histories list each job but the first twice in a row. If pages have an even size, the last entry
	 * of each is the first of such a pair, and the next page begins with the second. Limits, offsets
	 * and counts count both.
	 */
	repeats: z.boolean().default(false),
	entries: entryShape.default({}),
});

/** Music, where the document does not show it. */
const musicShape = z.strictObject({
	/** How files are sent: as parts of a form, or as texts (base64, or the URL of the file). */
	upload: z.enum(['multipart', 'base64', 'url']).default('multipart'),
	/** Where a record has takes, media and texts: see `music/results.mts`. */
	record: z.enum(['nested', 'flat', 'lists']).default('nested'),
	/** Takes have a picture besides their audio. */
	pictures: z.boolean().default(false),
	/** Field of a request that names the operation, where its path does not. */
	operationField: name.default('operation'),
	/** Field that names the earlier job, where the document requires one but shows no field for it. */
	sourceField: name.default('source'),
});

const shapesSchema = z.strictObject({
	/** Lays out what the document shows, with its names, in the same way as what it does not show. */
	everywhere: z.boolean().default(false),
	creation: creationShape.default({}),
	record: recordShape.default({}),
	list: listShape.default({}),
	music: musicShape.default({}),
	/** Status route of jobs whose route is open and whose identifier is not a `generation_id`. */
	statusPath: path.default('/open/status/{job_id}/'),
	/**
	 * Where the status of jobs whose route is open can be read: on the route of generations for a
	 * `generation_id`, otherwise on `statusPath`; on the route of generations for all; only in the generation
	 * history, or in that of Video Studio; nowhere.
	 */
	served: z.enum(['own', 'general', 'history', 'studio', 'none']).default('own'),
});

export const settingsSchema = z.strictObject({
	/** TCP port on 127.0.0.1; 0 takes a free one. */
	port: z.number().int().min(0).max(65_535).default(0),
	/** The API key of the account; when left out, each start and each reset draw a new one. */
	key: drawn('mg_sandbox_'),
	/** The browser session that is signed in to the account; drawn like the key. */
	session: z
		.strictObject({
			id: drawn('session_'),
			csrfToken: drawn('csrf_'),
		})
		.default({}),
	/** The legacy auth token of the account; drawn like the key. */
	authToken: drawn('token_'),
	/** Decides identifiers, durations of jobs, and which requests are hit by faults with a probability. */
	seed: z.number().int().default(1),
	catalogs: z.custom<readonly Catalog[]>(Array.isArray).default(() => CATALOGS),
	/** Credits of the account at the start; only purchased ones pay for API use. */
	credits: z
		.strictObject({ purchased: credits.default(1000), welcome: credits.default(50) })
		.default({}),
	/** Time from creation to the end of a job, ms, drawn for each job. */
	jobMs: drawnMs(3000, 9000),
	/** How long the status of a new job is `queued`, ms; part of `jobMs`. */
	queuedMs: milliseconds.default(1000),
	/** A job with this in one of its texts fails. */
	failPrompt: name.default('[fail]'),
	/** Credits charged where the document shows no price. */
	openPrice: credits.default(8),
	/** Which price is charged where the document leaves several possible. */
	priceWithin: z.enum(['low', 'high']).default('high'),
	/** Adds a Retry-After header to answers with 429; the document shows none. */
	retryAfter: z.boolean().default(false),
	/** Base of media URLs; the sandbox's own address when null. */
	mediaBase: z.string().url().nullable().default(null),
	limits: limitsSchema.default({}),
	/** Paths of operations and status routes that are not shown, by row of the open points. */
	openPaths: z
		.record(path)
		.default({})
		.transform((given): Record<string, string> => ({ ...OPEN_PATHS, ...given })),
	shapes: shapesSchema.default({}),
	clock: z.custom<Clock>((value) => typeof value === 'object').default(() => REAL_CLOCK),
});

/** Live: a change takes effect with the next request. */
export type SandboxSettings = z.output<typeof settingsSchema>;

/** What `startSandbox` takes: every setting, at every level, may be left out. */
export type SandboxSettingsInput = z.input<typeof settingsSchema>;

/** Settings that make no sense to change while the sandbox runs, or that JSON cannot express. */
const FIXED_SETTINGS = ['port', 'key', 'session', 'authToken', 'seed', 'catalogs', 'clock'];

const patchSchema = z
	.record(z.unknown())
	.refine(
		(patch) => !Object.keys(patch).some((name) => FIXED_SETTINGS.includes(name)),
		`These cannot be changed: ${FIXED_SETTINGS.join(', ')}`,
	);

/**
 * Changes settings in place; objects are merged, everything else is replaced.
 *
 * @throws ZodError when a setting is unknown or a value breaks its rule; nothing is changed then
 */
export function patchSettings(settings: SandboxSettings, patch: unknown): void {
	const merged = settingsSchema.parse(merge(settings, patchSchema.parse(patch)));
	Object.assign(settings, merged);
}

function merge(target: object, patch: object): Record<string, unknown> {
	const merged: Record<string, unknown> = { ...target };
	for (const [name, value] of Object.entries(patch)) {
		const old = merged[name];
		merged[name] = isPlainObject(value) && isPlainObject(old) ? merge(old, value) : value;
	}
	return merged;
}

const isPlainObject = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value);
