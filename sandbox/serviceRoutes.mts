import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import { CSRF_HEADER } from '../nodes/shared/spec/account.ts';
import type { Values } from '../nodes/shared/spec/conditions.ts';
import { strike, type Outcome } from './faultOutcome.mts';
import type { JournalEntry } from './journal.mts';
import { readForm, type Form } from './multipart.mts';
import { findRoute, operationName, routesOf, type RouteMatch } from './routes.mts';
import { errorBody } from './serviceError.mts';
import { answer, type Call } from './service.mts';
import type { SandboxState } from './state.mts';
import { findOperation } from './validation.mts';

/** A file of half that size can be sent as a text. */
const MAX_TEXT_BYTES = 512 * 1024 * 1024;

/** Stands for a form that cannot be read. */
const NO_FORM = '(a malformed form)';

/** Breaks off the connection of a request that gets no answer: resets it, or leaves it hanging. */
export type BreakOff = (
	how: 'reset' | 'hang',
	request: FastifyRequest,
	reply: FastifyReply,
) => void;

/** Breaks off a connection over a socket; one that hangs needs nothing done. */
export const breakSocket: BreakOff = (how, request) => {
	if (how === 'reset') request.raw.socket.resetAndDestroy();
};

/** The service and its media under every path, so that the routes can follow the settings. */
export function serviceRoutes(app: FastifyInstance, state: SandboxState, breakOff: BreakOff): void {
	// The text is parsed by us: a malformed body must not be refused before the key is checked.
	app.removeAllContentTypeParsers();
	const asText = { parseAs: 'string', bodyLimit: MAX_TEXT_BYTES } as const;
	app.addContentTypeParser('*', asText, (_request, text, done) => done(null, text));
	app.addContentTypeParser(
		'multipart/form-data',
		async ({ headers }: FastifyRequest, body: AsyncIterable<Buffer>) =>
			(await readForm(body, headers['content-type'] ?? '')) ?? NO_FORM,
	);
	app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
		const isCaller = (error.statusCode ?? 500) < 500;
		reply.code(isCaller ? 400 : 500).send(errorBody(error.message));
	});
	app.all('/*', (request, reply) => handle(state, breakOff, request, reply));
}

async function handle(
	state: SandboxState,
	breakOff: BreakOff,
	request: FastifyRequest,
	reply: FastifyReply,
): Promise<FastifyReply> {
	const call = readCall(state, request);
	const entry = state.journal.add(journalEntry(state, request, call));
	const outcome = await outcomeOf(state, call, entry);
	if (outcome === 'reset' || outcome === 'hang') {
		reply.hijack();
		breakOff(outcome, request, reply);
		return reply;
	}
	entry.status = outcome.status;
	entry.answeredAt = state.settings.clock.now();
	return reply
		.code(outcome.status)
		.headers(outcome.headers ?? {})
		.send(await outcome.body);
}

async function outcomeOf(state: SandboxState, call: Call, entry: JournalEntry): Promise<Outcome> {
	const rule = state.faults.take(entry);
	if (!rule) return answer(state, call);
	entry.fault = rule.fault.kind;
	const { clock } = state.settings;
	if (rule.when === 'before') return strike(rule.fault, entry, clock, () => answer(state, call));
	const given = answer(state, call);
	return strike(rule.fault, entry, clock, () => given);
}

function readCall({ settings }: SandboxState, request: FastifyRequest): Call {
	const path = request.url.split('?')[0] ?? '';
	return {
		match: findRoute(routesOf(settings), request.method, path),
		authorization: request.headers.authorization,
		cookie: request.headers.cookie,
		csrfToken: textOf(request.headers[CSRF_HEADER.toLowerCase()]),
		query: request.query as Values,
		...readBody(request),
		mediaBase: settings.mediaBase ?? `${request.protocol}://${request.host}`,
	};
}

function textOf(header: string | string[] | undefined): string | undefined {
	return Array.isArray(header) ? header.join(', ') : header;
}

/** Section "Endpoints": bodies are JSON, or a form with files. `undefined` for anything else. */
function readBody({ body, headers }: FastifyRequest): Pick<Call, 'body' | 'isForm'> {
	const type = headers['content-type'] ?? '';
	if (isForm(body)) return { body: { ...body.fields, ...body.files }, isForm: true };
	return {
		body: /^application\/json\b/i.test(type) ? parse(String(body)) : undefined,
		isForm: false,
	};
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

function isForm(body: unknown): body is Form {
	return typeof body === 'object' && body !== null;
}

function journalEntry(state: SandboxState, request: FastifyRequest, call: Call): JournalEntry {
	const operation = call.match && operationOf(call.match, call.body ?? call.query);
	return {
		at: state.settings.clock.now(),
		method: request.method,
		path: request.url.split('?')[0] ?? '',
		query: { ...call.query },
		headers: { ...request.headers },
		body: call.isForm ? formEntry(request.body as Form) : (call.body ?? request.body),
		status: null,
		...(call.match && { kind: call.match.route.kind }),
		...(operation && { operation }),
	};
}

function formEntry({ fields, files }: Form): object {
	const entries = Object.entries(files).map(([name, file]) => {
		const { fileName, contentType: type, size, sha256 } = file;
		return { name, fileName, type, size, sha256 };
	});
	return { fields, files: entries };
}

function operationOf({ route }: RouteMatch, sent: unknown): string | undefined {
	const found = findOperation(route.operations, Object(sent) as Values);
	return found && operationName(found);
}
