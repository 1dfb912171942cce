import { GENERATION_ROUTE } from '../nodes/shared/spec/operation.ts';
import { FAMILY_A_SECONDS } from '../test/document.mts';
import { COMPLETED, FAILED, isFinal, modelOf, type Job } from './jobs.mts';
import { resultFile, thumbnailFile } from './media.mts';
import { isMusic } from './music/operations.mts';
import { musicResult } from './music/results.mts';
import { pattern } from './routes.mts';
import { entryShape, type SandboxSettings } from './settings.mts';

export type Body = Record<string, unknown>;

/** `{ success, data }`. */
export const envelope = (data: unknown): Body => ({
	success: true,
	data,
});

/** A record in two parts: identifiers and state, and the rest. */
export interface Parts {
	identity: Body;
	rest: Body;
}

/** The body, with each part where the shape puts it. */
export function laidOut(
	{ identity, rest }: Parts,
	{ enveloped, beside }: Pick<SandboxSettings['shapes']['record'], 'enveloped' | 'beside'>,
): Body {
	if (beside === 'identity') return { ...envelope(rest), ...identity };
	if (beside === 'rest') return { ...envelope(identity), ...rest };
	const record = { ...identity, ...rest };
	return enveloped ? envelope(record) : record;
}

export interface RecordContext {
	settings: SandboxSettings;
	/** Base of media URLs. */
	mediaBase: string;
}

/** What a record calls its fields, and which of them it has. Null means "as on the status routes". */
const AS_STATUS = entryShape.parse({});
type RecordShape = Omit<typeof AS_STATUS, 'enveloped'>;

/**
 * What a status route answers: the generation record on the documented route of generations, the
 * family's record where the document shows one, otherwise the record that the settings describe.
 */
export function statusRecord(job: Job, route: string, context: RecordContext): Body {
	const { everywhere, record: shape } = context.settings.shapes;
	const isGeneral = pattern(route) === pattern(GENERATION_ROUTE.path);
	// Of the families' records, the document shows the one that has a field for its result.
	const isTask = ownUrlField(job) !== undefined;
	const make = isGeneral ? generationParts : isTask ? taskParts : openParts;
	const parts = make(job, context, AS_STATUS);
	const isFree = everywhere || !(isGeneral || isTask);
	return laidOut(parts, isFree ? shape : { enveloped: !isGeneral, beside: 'nothing' });
}

/** Section "Generation record". */
export function generationParts(job: Job, context: RecordContext, shape: RecordShape): Parts {
	const { mediaType, resource } = job.operation;
	const urlField = mediaType && GENERATION_ROUTE.urlFields?.[mediaType];
	return {
		identity: {
			[shape.idField ?? 'id']: job.id,
			[shape.stateField ?? 'status']: stateOf(job, context),
		},
		rest: {
			...((shape.types ?? true) && { generation_type: mediaType }),
			prompt: job.body.prompt ?? '',
			// A family without a choice of models is itself the model.
			...(mediaType === 'video' && { video_model: modelOf(job) ?? resource }),
			credits_used: job.credits,
			...((shape.times ?? true) && timesOf(job)),
			...outcome(job, context, urlField, shape),
		},
	};
}

/** ISO 8601, like all timestamps of the service (section "Conventions"). */
function timesOf({ createdAt, state, endsAt }: Job): Body {
	return {
		created_at: new Date(createdAt).toISOString(),
		completed_at: isFinal(state) ? new Date(endsAt).toISOString() : null,
	};
}

/** Section "Family-A video task", status result. */
function taskParts(job: Job, context: RecordContext, shape: RecordShape): Parts {
	const shown = job.state === COMPLETED && { resolution: '1080p', duration: FAMILY_A_SECONDS };
	const rest = outcome(job, context, ownUrlField(job), shape);
	return { identity: { status: stateOf(job, context) }, rest: { ...shown, ...rest } };
}

/** A record of which only this is known: it has a state and result URLs. */
export function openParts(job: Job, context: RecordContext, shape: RecordShape): Parts {
	const { stateField, oddStatus } = context.settings.shapes.record;
	return {
		identity: {
			[shape.idField ?? job.idField]: job.id,
			...(oddStatus && { status: 'ok' }),
			[shape.stateField ?? stateField]: stateOf(job, context),
		},
		rest: {
			...(shape.types && { generation_type: job.operation.mediaType }),
			...(shape.times && timesOf(job)),
			...outcome(job, context, ownUrlField(job), shape),
		},
	};
}

const stateOf = ({ state }: Job, { settings }: RecordContext): string =>
	settings.shapes.record.upperCase ? state.toUpperCase() : state;

/** What a record has besides its state: the reason for a failure, or the result's URLs. */
function outcome(
	job: Job,
	{ settings, mediaBase }: RecordContext,
	/** The documented name of the result URL; without one, the settings have it. */
	urlField: string | undefined,
	{ urls }: RecordShape,
) {
	const { resultUrl, secondUrl, echo } = settings.shapes.record;
	const url = (file: string) => `${mediaBase}/media/${file}`;
	const record: Body = echo ? { request: job.body } : {};
	if (job.state === FAILED) record.error_message = 'The sandbox was asked to fail this generation.';
	if (job.state !== COMPLETED || !urls) return record;
	if (isMusic(job.operation)) {
		Object.assign(record, musicResult(job, settings.shapes.music, url));
	} else {
		const place = urlField ?? resultUrl ?? `${job.operation.mediaType}_url`;
		setAt(record, place, url(resultFile(job)));
		if (secondUrl) setAt(record, secondUrl, url(thumbnailFile(job)));
	}
	return record;
}

/** The documented name of the result URL in the job's family. */
const ownUrlField = ({ operation: { status, mediaType } }: Job): string | undefined =>
	mediaType && status.urlFields?.[mediaType];

/**
 * Puts a value at a path of a record, and adds what is missing on the way. `a.b` is a field of a
 * field, `a[]` a list to which the value is added, `a[].b` a field of the list's first entry.
 */
function setAt(record: Body, path: string, value: unknown): void {
	const steps = path.split('.');
	let at = record;
	for (const [index, step] of steps.entries()) {
		const isLast = index === steps.length - 1;
		const name = step.replace('[]', '');
		const list = step === name ? undefined : ((at[name] ??= []) as unknown[]);
		if (!isLast) at = (list ? (list[0] ??= {}) : (at[name] ??= {})) as Body;
		else if (list) list.push(value);
		else at[name] = value;
	}
}
