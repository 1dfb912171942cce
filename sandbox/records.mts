import { GENERATION_STATUS } from '../nodes/shared/spec/jobs.ts';
import { isFinal } from '../nodes/shared/spec/states.ts';
import { timestamp } from './clock.mts';
import { laidOut, type Body, type Parts } from './envelope.mts';
import { modelOf, type Job } from './jobs.mts';
import { resultFile, thumbnailFile } from './media.mts';
import { isMusic } from './music/operations.mts';
import { musicResult } from './music/results.mts';
import { pattern } from './routes.mts';
import { setAt } from './setAt.mts';
import type { SandboxSettings } from './settings.mts';

/** What a record is made with. */
export interface RecordContext {
	settings: SandboxSettings;
	/** Base of media URLs. */
	mediaBase: string;
}

/** Documented names in a record; where there is none, the settings have one. */
interface Names {
	/** Of the result URL. */
	urlField: string | undefined;
	errorField: string;
}

const ERROR_FIELD = 'error_message';

/**
 * What a status route answers: the generation record on the documented route of generations, the
 * family's record where that is shown, otherwise the record that the settings describe.
 *
 * @param route path of the status route
 */
export function statusRecord(job: Job, route: string, context: RecordContext): Body {
	const { everywhere, record: shape } = context.settings.shapes;
	const isGeneral = pattern(route) === pattern(GENERATION_STATUS.path);
	const shown = isGeneral ? GENERATION_STATUS.enveloped : ownRoute(job)?.enveloped;
	const make = isGeneral ? generationParts : shown === undefined ? openParts : taskParts;
	const parts = make(job, context);
	const isFree = everywhere || shown === undefined;
	return laidOut(parts, isFree ? shape : { enveloped: Boolean(shown), beside: 'nothing' });
}

/** Section "Generation record"; flat. */
export function generationRecord(job: Job, context: RecordContext): Body {
	const { identity, rest } = generationParts(job, context);
	return { ...identity, ...rest };
}

function generationParts(job: Job, context: RecordContext): Parts {
	const { mediaType, resource } = job.operation;
	const urlField = mediaType && GENERATION_STATUS.urlFields[mediaType];
	return {
		identity: { id: job.id, status: stateOf(job, context) },
		rest: {
			generation_type: mediaType,
			prompt: job.body.prompt ?? '',
			// A family without a choice of models is one.
			...(mediaType === 'video' && { video_model: modelOf(job) ?? resource }),
			credits_used: job.credits,
			created_at: timestamp(job.createdAt),
			completed_at: isFinal(job.state) ? timestamp(job.endsAt) : null,
			...outcome(job, context, { urlField, errorField: ERROR_FIELD }),
		},
	};
}

/** Section "Family-A video task", status result. */
function taskParts(job: Job, context: RecordContext): Parts {
	const shown = job.state === 'completed' && { resolution: '1080p', duration: 8 };
	const rest = outcome(job, context, { urlField: ownUrlField(job), errorField: ERROR_FIELD });
	return { identity: { status: stateOf(job, context) }, rest: { ...shown, ...rest } };
}

/** A record of which no more is known than that it has a state and result URLs. */
export function openRecord(job: Job, context: RecordContext): Body {
	const { identity, rest } = openParts(job, context);
	return { ...identity, ...rest };
}

function openParts(job: Job, context: RecordContext): Parts {
	const { stateField, errorField, oddStatus } = context.settings.shapes.record;
	return {
		identity: {
			[job.idField]: job.id,
			...(oddStatus && { status: 'ok' }),
			[stateField]: stateOf(job, context),
		},
		rest: outcome(job, context, { urlField: ownUrlField(job), errorField }),
	};
}

function stateOf({ state }: Job, { settings }: RecordContext): string {
	return settings.shapes.record.upperCase ? state.toUpperCase() : state;
}

/** What a record has besides its state: the reason of a failure, or the result's URLs. */
function outcome(
	job: Job,
	{ settings, mediaBase }: RecordContext,
	{ urlField, errorField }: Names,
) {
	const { resultUrl, secondUrl, echo } = settings.shapes.record;
	const url = (file: string) => `${mediaBase}/media/${file}`;
	const record: Body = echo ? { request: job.body } : {};
	if (job.state === 'failed') record[errorField] = 'The sandbox was asked to fail this generation.';
	if (job.state !== 'completed') return record;
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
function ownUrlField(job: Job): string | undefined {
	const { mediaType } = job.operation;
	return mediaType && ownRoute(job)?.urlFields[mediaType];
}

/** The documented status route of the job's family. */
function ownRoute({ operation: { status } }: Job) {
	return 'route' in status ? status.route : undefined;
}
