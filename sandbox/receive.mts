import type { Values } from '../nodes/shared/spec/conditions.ts';
import { BROWSER_SESSION, SUCCESS } from '../test/document.mts';
import type { Clock } from './clock.mts';
import type { Fault } from './faults.mts';
import type { JournalEntry } from './journal.mts';
import type { Form } from './uploads.mts';
import { findRoute, operationName, routesOf, type RouteMatch } from './routes.mts';
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
	entry.fault = rule.fault.kind;
	const { clock } = state.settings;
	if (rule.when === 'before') return strike(rule.fault, entry, clock, () => answer(state, call));
	const given = answer(state, call);
	return strike(rule.fault, entry, clock, () => given);
}

function readCall({ settings }: SandboxState, request: Received): Call {
	const { method, path, query, headers, origin } = request;
	return {
		match: findRoute(routesOf(settings), method, path),
		authorization: textOf(headers.authorization),
		cookie: textOf(headers.cookie),
		csrfToken: textOf(headers[BROWSER_SESSION.header.toLowerCase()]),
		query,
		...readBody(request),
		mediaBase: settings.mediaBase ?? origin,
	};
}

function textOf(header: string | string[] | undefined): string | undefined {
	return Array.isArray(header) ? header.join(', ') : header;
}

/** Section "Endpoints": bodies are JSON, or a form with files. `undefined` for anything else. */
function readBody({ body, headers }: Received): Pick<Call, 'body' | 'isForm'> {
	const type = textOf(headers['content-type']) ?? '';
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

function journalEntry(state: SandboxState, request: Received, call: Call): JournalEntry {
	const operation = call.match && operationOf(call.match, call.body ?? call.query);
	return {
		at: state.settings.clock.now(),
		method: request.method,
		path: request.path,
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

type Outcome = Answer | 'reset' | 'hang';

type StatusFault = Extract<Fault, { kind: 'status' }>;

/** @param trueAnswer called only where the caller is to get this answer */
async function strike(
	fault: Fault,
	{ kind }: JournalEntry,
	clock: Clock,
	trueAnswer: () => Answer,
): Promise<Outcome> {
	switch (fault.kind) {
		case 'slow':
			await clock.sleep(fault.ms);
			return trueAnswer();
		case 'status':
			return statusAnswer(fault);
		case 'garbage':
			return { ...GARBAGE, status: kind === 'create' ? SUCCESS.creation : SUCCESS.read };
		default:
			return fault.kind;
	}
}

const GARBAGE = {
	body: '{"success": true, "data": {"gener',
	headers: { 'content-type': 'application/json' },
};

function statusAnswer({ status, body, contentType, headers }: StatusFault): Answer {
	const isText = typeof body === 'string';
	const standard = errorBody(meaningOf(status) ?? `Error ${status}`);
	return {
		status,
		body: isText ? body : JSON.stringify(body ?? standard),
		headers: {
			...headers,
			'content-type': contentType ?? (isText ? 'text/html' : 'application/json'),
		},
	};
}
