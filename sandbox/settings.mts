import { z } from 'zod';

import { CATALOGS } from '../nodes/shared/spec/catalogs.ts';
import {
	CONCURRENT_GENERATIONS,
	REQUEST_WINDOW_MS,
	REQUESTS_PER_WINDOW,
} from '../nodes/shared/spec/limits.ts';
import type { Catalog, CreateOperation } from '../nodes/shared/spec/types.ts';
import { VIDEO_FAMILIES } from '../nodes/shared/spec/video/families.ts';
import { isOpen } from '../nodes/shared/spec/video/family.ts';
import { secret } from './account.mts';
import { REAL_CLOCK, type Clock } from './clock.mts';
import { REMIX } from './music/remix.mts';

/**
 * Made up: where the sandbox serves what the document shows no path of. The names are those of the
 * open points, and of the settings in the credential.
 */
export const OPEN_PATHS = {
	...familyPaths(),
	musicSubmitPath: '/open/music/{operation}/',
	musicStatusPath: '/open/music/status/{job_id}/',
	musicCatalogPath: '/open/music/catalog/{language}/',
};

/** Where the creations of the video families are whose path is not shown. */
function familyPaths(): Record<string, string> {
	const paths = VIDEO_FAMILIES.flatMap(({ creations }) => creations).map(({ path }) => path);
	return Object.fromEntries(
		paths.filter(isOpen).map(({ openPoint }) => [openPoint, `/open/${openPoint}/`]),
	);
}

const milliseconds = z.number().int().min(0);
const credits = z.number().int().min(0);
const path = z.string().startsWith('/');
const name = z.string().min(1);

/** A secret, which is another one each time unless it is given. */
const drawn = (prefix: string) => name.default(() => secret(prefix));

/** A time that is drawn for each job, ms; `min` and `max` are included. */
function drawnMs(min: number, max: number) {
	return z
		.strictObject({ min: milliseconds.default(min), max: milliseconds.default(max) })
		.refine((range) => range.min <= range.max, 'min is greater than max')
		.default({});
}

const limitsSchema = z.strictObject({
	/** Requests that are served in any window; the next one answers 429. */
	requestsPerWindow: z.number().int().min(1).default(REQUESTS_PER_WINDOW),
	windowMs: milliseconds.min(1).default(REQUEST_WINDOW_MS),
	/** Unfinished generations; the creation of one more answers 429. */
	concurrent: z.number().int().min(1).default(CONCURRENT_GENERATIONS),
});

/** What stands beside `data`: nothing, identifiers and state, or everything but these. */
const beside = z.enum(['nothing', 'identity', 'rest']).default('nothing');

/** The answer to a creation whose body the document does not show. */
const creationShape = z.strictObject({
	/** In `{ success, data }` rather than flat. */
	enveloped: z.boolean().default(true),
	beside,
	/** `generation_id`, `task_id`, `job_id`, `id` or any other name. */
	idField: name.default('generation_id'),
	/** Another identifier, which is that of no job. */
	secondId: name.nullable().default(null),
	/** Texts, numbers, or numbers with more digits than JavaScript keeps. */
	ids: z.enum(['uuid', 'number', 'large']).default('uuid'),
	stateField: name.default('status'),
	/** Carries `credits_used` and `credits_remaining`. */
	credits: z.boolean().default(true),
	/** Carries a link to the status: in a field `status_url`, or in the header Location. */
	link: z.enum(['none', 'field', 'header']).default('none'),
});

/** Records of jobs, as far as they are not shown. */
const recordShape = z.strictObject({
	/**
	 * Where a result URL goes that has no documented field: a dotted path, `[]` for a list of
	 * one; `url`, `result.url`, `images[]`, `images[].url`. When null, `image_url` or
	 * `video_url`, as the job is.
	 */
	resultUrl: name.nullable().default(null),
	/** Where a second URL goes, that of a thumbnail; none when null. */
	secondUrl: name.nullable().default(null),
	/** Repeats the request's body under `request`. */
	echo: z.boolean().default(false),
	/** Records that are not shown: in `{ success, data }` rather than flat. */
	enveloped: z.boolean().default(false),
	beside,
	/** Records that are not shown: field of the state. */
	stateField: name.default('status'),
	/** Records that are not shown: has a `status` besides, which is no state. */
	oddStatus: z.boolean().default(false),
	upperCase: z.boolean().default(false),
	/** Records that are not shown: field of the reason of a failure. */
	errorField: name.default('error_message'),
});

/** Entries of histories. Where a setting is null, they are like the records of the status routes. */
export const entryShape = z.strictObject({
	idField: name.nullable().default(null),
	stateField: name.nullable().default(null),
	/** A job that has a result has its URLs. */
	urls: z.boolean().default(true),
	/** Have `generation_type`; when null, only in the generation history. */
	types: z.boolean().nullable().default(null),
	/** Have `created_at` and `completed_at`; when null, only in the generation history. */
	times: z.boolean().nullable().default(null),
	/** Each in `{ data }`. */
	enveloped: z.boolean().default(false),
	/** Have an `id` of their own besides that of the creation; the generation status takes it. */
	ownId: z.boolean().default(false),
});

/** Bodies of histories and model listings, and what histories list. */
const listShape = z.strictObject({
	/** `array` is `[…]`, `none` no list at all; the others: see `LIST_BODIES`. */
	body: z.enum(['array', 'results', 'items', 'data', 'dataResults', 'none']).default('array'),
	/** What the generation history lists: all, jobs that have ended, or those of one type. */
	lists: z.enum(['all', 'ended', 'image', 'video']).default('all'),
	/** Times in histories have a zone. */
	zone: z.boolean().default(true),
	/** Prompts in the generation history are without white space around them. */
	trimmed: z.boolean().default(false),
	/** Entries in an answer to a request without a limit. */
	pageSize: z.number().int().min(1).default(20),
	/** Most entries in an answer, whatever limit is sent; no bound when null. */
	maxPage: z.number().int().min(1).nullable().default(null),
	/** Every request gives the first page. */
	ignoresOffset: z.boolean().default(false),
	/**
	 * Order of jobs in histories, by creation; `shuffled` is another order in each answer, `fixed`
	 * one that has nothing to do with time.
	 */
	order: z.enum(['newest', 'oldest', 'shuffled', 'fixed']).default('newest'),
	/**
	 * Histories list each job but the first twice in a row: within a page, and in the last place
	 * of a page and the first of the next (of every page whose size is even). Limits, offsets and
	 * counts count both.
	 */
	repeats: z.boolean().default(false),
	/** Histories list only so many jobs, the newest; all when null. */
	keeps: z.number().int().min(0).nullable().default(null),
	/** From a job's creation until histories list it, ms. */
	lagMs: drawnMs(0, 0),
	/** From a job's end until histories show it, ms; until then it is `processing` there. */
	stateLagMs: drawnMs(0, 0),
	entries: entryShape.default({}),
});

/** Music, as far as it is not shown. */
const musicShape = z.strictObject({
	/** How files travel: as parts of a form, or as texts: base64 or the URL of the file. */
	upload: z.enum(['multipart', 'base64', 'url']).default('multipart'),
	/** Where a record has takes, media and texts: see `music/results.mts`. */
	record: z.enum(['nested', 'flat', 'lists']).default('nested'),
	/** Takes have a picture besides their audio. */
	pictures: z.boolean().default(false),
	/** Field of a request that has the operation, where its path does not. */
	operationField: name.default('operation'),
	/** Field that has the earlier job, where the document requires one and has no field for it. */
	sourceField: name.default('source'),
});

const shapesSchema = z.strictObject({
	/** What the document shows keeps its names, and is laid out as what it does not show. */
	everywhere: z.boolean().default(false),
	creation: creationShape.default({}),
	record: recordShape.default({}),
	list: listShape.default({}),
	music: musicShape.default({}),
	/** Status route of jobs whose route is open and whose identifier is no `generation_id`. */
	statusPath: path.default('/open/status/{job_id}/'),
	/**
	 * What tells the status of jobs whose route is open: the route of generations for a `generation_id` and
	 * else `statusPath`; the route of generations for any; only the generation history, or that of Video
	 * Studio; nothing.
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
	/** Decides identifiers, durations of jobs and probable faults. */
	seed: z.number().int().default(1),
	catalogs: z.custom<readonly Catalog[]>(Array.isArray).default(() => CATALOGS),
	/** Music operations that only the live catalog knows. */
	musicOperations: z.custom<readonly CreateOperation[]>(Array.isArray).default(() => [REMIX]),
	/** Credits of the account at the start; only purchased ones pay for API use. */
	credits: z
		.strictObject({ purchased: credits.default(1000), welcome: credits.default(50) })
		.default({}),
	/** Time from creation to the end of a job, ms, drawn for each job. */
	jobMs: drawnMs(3000, 9000),
	/** How long the status of a new job is `queued`, ms; part of its time. */
	queuedMs: milliseconds.default(1000),
	/** A job with this in one of its texts fails. */
	failPrompt: name.default('[fail]'),
	/** Credits charged where the document shows no price. */
	openPrice: credits.default(8),
	/** Credits charged where the document leaves open which of several prices it is. */
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

/** Settings that make no sense to change, or cannot be written in JSON, while it runs. */
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

function isPlainObject(value: unknown): value is Record<string, unknown> {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
