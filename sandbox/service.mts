import type { Values } from '../nodes/shared/spec/values.ts';
import { GENERATION_ROUTE, type ListOperation } from '../nodes/shared/spec/operation.ts';
import { SUCCESS } from '../test/document.mts';
import { answerRecord, identify, type Identification } from './account.mts';
import { answerCreate } from './creation.mts';
import type { Served } from './documented.mts';
import { envelope, statusRecord } from './records.mts';
import type { Job, Jobs } from './jobs.mts';
import { listBody } from './lists.mts';
import { answerMedia } from './media.mts';
import { musicCatalog } from './music/catalog.mts';
import { pattern, statusPath, type RouteKind, type RouteMatch } from './routes.mts';
import { errorBody, ServiceError } from './serviceError.mts';
import type { SandboxState } from './state.mts';
import { validate } from './validation.mts';
import { readTexts } from './values.mts';

export interface Call extends Identification {
	match: RouteMatch | undefined;
	query: Values;
	/** Parsed body; `undefined` where it is neither JSON nor a form. */
	body: unknown;
	/** The body is a form: its values are texts and files. */
	isForm: boolean;
	/** Base of media URLs. */
	mediaBase: string;
}

export interface Answer {
	status: number;
	/** An object, which is sent as JSON, a text, or the bytes of a file, or a promise of them. */
	body: unknown;
	headers?: Record<string, string>;
}

export type RoutedCall = Call & { match: RouteMatch };

const ANSWERS: Record<RouteKind, (state: SandboxState, call: RoutedCall) => Answer> = {
	create: answerCreate,
	status: answerStatus,
	list: answerList,
	record: answerRecord,
	catalog: answerCatalog,
	media: answerMedia,
};

/** Carries out a call, with all its effects on the service, and gives the answer. */
export function answer(state: SandboxState, call: Call): Answer {
	try {
		const { match } = call;
		if (!match) throw new ServiceError(404);
		if (match.route.kind !== 'media') {
			identify(state.account, match.route, call);
			state.rateLimit.admit();
		}
		const given = ANSWERS[match.route.kind](state, { ...call, match });
		const isPlain = state.settings.shapes.creation.ids === 'uuid' || match.route.kind === 'media';
		return isPlain ? given : withNumericIds(given, state.jobs);
	} catch (error) {
		if (error instanceof ServiceError) return refusal(error, state);
		throw error;
	}
}

/** An answer as JSON in which the identifiers of jobs are numbers, with all their digits. */
function withNumericIds({ body, headers, ...answer }: Answer, jobs: Jobs): Answer {
	const text = JSON.stringify(body).replace(/(?<=:)"(\d+)"/g, (quoted, digits: string) =>
		jobs.find(digits) ? digits : quoted,
	);
	return { ...answer, body: text, headers: { ...headers, 'content-type': 'application/json' } };
}

function refusal({ status, message, details, retryAfter }: ServiceError, state: SandboxState) {
	const tells = state.settings.retryAfter && retryAfter !== undefined;
	return {
		status,
		body: errorBody(message, details),
		...(tells && { headers: { 'retry-after': String(retryAfter) } }),
	};
}

const read = (body: unknown): Answer => ({ status: SUCCESS.read, body });

function answerStatus(state: SandboxState, call: RoutedCall): Answer {
	const { route, parameters } = call.match;
	const job = state.jobs.find(parameters[0] ?? '');
	if (!job || !statusPaths(job, state).some((path) => pattern(path) === pattern(route.path))) {
		throw new ServiceError(404, 'No such generation.');
	}
	return read(statusRecord(job, route.path, { ...state, mediaBase: call.mediaBase }));
}

/** The status routes of a job. A `generation_id` works on the general route, unless that does not serve the job. */
function statusPaths({ operation, idField }: Job, { settings }: SandboxState): string[] {
	const { status } = operation;
	const { served, creation } = settings.shapes;
	if (served !== 'own' && typeof status.path !== 'string' && !status.isPathNeeded) {
		const isLinked = creation.link !== 'none';
		return [
			...(served === 'general' ? [GENERATION_ROUTE.path] : []),
			...(isLinked ? [statusPath(operation, settings)] : []),
		];
	}
	const isGeneral = idField === 'generation_id' && !status.isPathNeeded;
	const isOwn = typeof status.path === 'string' || !isGeneral;
	return [
		...(isOwn ? [statusPath(operation, settings)] : []),
		...(isGeneral ? [GENERATION_ROUTE.path] : []),
	];
}

function answerList(state: SandboxState, call: RoutedCall): Answer {
	const [listing] = call.match.route.operations as Array<Served<ListOperation>>;
	if (!listing) throw new ServiceError(404);
	const query = readTexts(listing, call.query);
	validate(listing, query);
	return read(listBody(listing, { ...state, mediaBase: call.mediaBase }, query));
}

/** The music catalog in the language that the path or the query asks for. */
function answerCatalog({ settings }: SandboxState, { match, query }: RoutedCall): Answer {
	const asked = [...match.parameters, ...Object.values(query)].find((one) =>
		/^de\b/.test(`${one}`),
	);
	return read(envelope(musicCatalog(settings, asked !== undefined)));
}
