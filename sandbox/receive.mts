import type { Values } from '../nodes/shared/spec/values.ts';
import { BROWSER_SESSION, SUCCESS } from '../test/document.mts';
import type { Fault } from './faults.mts';
import type { JournalEntry } from './journal.mts';
import type { Form } from './uploads.mts';
import { findRoute, operationName, routesOf } from './routes.mts';
import { answer, type Answer, type Call } from './service.mts';
import { errorBody, meaningOf } from './serviceError.mts';
import type { SandboxState } from './state.mts';
import { findOperation } from './validation.mts';

/** A request that has arrived, over a socket or not. */
export interface Received {
	method: string;
	/** Without the query. */
	path: string;
	query: Values;
	/** By names in lower case. */
	headers: Record<string, string | string[] | undefined>;
	/** A text as it came, or a form. */
	body: unknown;
	/** The address at which the request arrived, without a path. */
	origin: string;
}

type Outcome = Answer | 'reset' | 'hang';

/** Answers a request, or lets a fault hit it, and notes it in the journal. */
export async function receive(state: SandboxState, request: Received): Promise<Outcome> {
	const call = readCall(state, request);
	const entry = state.journal.add(journalEntry(state, request, call));
	const outcome = await outcomeOf(state, call, entry);
	if (outcome !== 'reset' && outcome !== 'hang') {
		entry.status = outcome.status;
		entry.answeredAt = state.settings.clock.now();
	}
	return outcome;
}

async function outcomeOf(state: SandboxState, call: Call, entry: JournalEntry): Promise<Outcome> {
	const rule = state.faults.take(entry);
	if (!rule) return answer(state, call);
	const { fault, when } = rule;
	entry.fault = fault.kind;
	const given = when === 'after' ? answer(state, call) : undefined;
	switch (fault.kind) {
		case 'slow':
			await state.settings.clock.sleep(fault.ms);
			return given ?? answer(state, call);
		case 'status':
			return statusAnswer(fault);
		case 'garbage':
			return {
				status: entry.kind === 'create' ? SUCCESS.creation : SUCCESS.read,
				body: '{"success": true, "data": {"gener',
				headers: { 'content-type': 'application/json' },
			};
		default:
			return fault.kind;
	}
}

function statusAnswer({
	status,
	body = errorBody(meaningOf(status) ?? `Error ${status}`),
	contentType = typeof body === 'string' ? 'text/html' : 'application/json',
	headers,
}: Extract<Fault, { kind: 'status' }>): Answer {
	return {
		status,
		body: typeof body === 'string' ? body : JSON.stringify(body),
		headers: { ...headers, 'content-type': contentType },
	};
}

function readCall({ settings }: SandboxState, request: Received): Call {
	const { method, path, query, body, headers, origin } = request;
	const header = (name: string) => headers[name.toLowerCase()]?.toString();
	const isJson = /^application\/json\b/i.test(header('content-type') ?? '');
	return {
		match: findRoute(routesOf(settings), method, path),
		authorization: header('authorization'),
		cookie: header('cookie'),
		csrfToken: header(BROWSER_SESSION.header),
		query,
		// Section "Endpoints": bodies are JSON, or a form with files.
		...(isForm(body)
			? { body: { ...body.fields, ...body.files }, isForm: true }
			: { body: isJson ? parse(String(body)) : undefined, isForm: false }),
		mediaBase: settings.mediaBase ?? origin,
	};
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

const isForm = (body: unknown): body is Form => typeof body === 'object' && body !== null;

function journalEntry(state: SandboxState, request: Received, call: Call): JournalEntry {
	const { method, path, body, headers } = request;
	const { match, query } = call;
	const sent = Object(call.body ?? query) as Values;
	const operation = match && findOperation(match.route.operations, sent);
	return {
		at: state.settings.clock.now(),
		method,
		path,
		query: { ...query },
		headers: { ...headers },
		body: isForm(body) ? formEntry(body) : (call.body ?? body),
		status: null,
		...(match && { kind: match.route.kind }),
		...(operation && { operation: operationName(operation) }),
	};
}

function formEntry({ fields, files }: Form): object {
	const entries = Object.entries(files).map(([name, { problem, ...facts }]) => ({
		name,
		...facts,
	}));
	return { fields, files: entries };
}
