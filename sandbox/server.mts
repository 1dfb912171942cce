import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { AddressInfo } from 'node:net';
import { ZodError } from 'zod';

import type { Values } from '../nodes/shared/spec/values.ts';
import type { Job } from './jobs.mts';
import { receive } from './receive.mts';
import { errorBody, meaningOf } from './serviceError.mts';
import { patchSettings, type SandboxSettingsInput } from './settings.mts';
import { newState, type SandboxState } from './state.mts';
import { readForm } from './uploads.mts';

export type Sandbox = Readonly<Awaited<ReturnType<typeof startSandbox>>>;

const LOOPBACK = '127.0.0.1';

/**
 * Starts the simulated service on the loopback interface.
 *
 * @throws ZodError when a setting is unknown or a value breaks its rule; Error (`EADDRINUSE`) when the port is taken
 */
export async function startSandbox(settings: SandboxSettingsInput = {}) {
	const state = newState(settings);
	const app = createSandboxApp(state);
	await app.listen({ host: LOOPBACK, port: state.settings.port });
	const { port } = app.server.address() as AddressInfo;
	return {
		/** Base URL, without a slash at the end. */
		url: `http://${LOOPBACK}:${port}`,
		/** A valid API key, until the next reset. */
		get key() {
			return state.settings.key;
		},
		/** May be changed at any time, whole or in part. */
		settings: state.settings,
		account: state.account,
		/** All jobs that were created, oldest first. */
		get jobs(): readonly Job[] {
			return state.jobs.list;
		},
		get journal() {
			return state.journal;
		},
		get faults() {
			return state.faults;
		},
		reset: state.reset,
		/** Closes at once, even while connections are open. */
		close: () => app.close(),
	};
}

/** The simulated service over a state, not listening yet. */
function createSandboxApp(state: SandboxState): FastifyInstance {
	const app = Fastify({
		// A connection that a fault left hanging must not keep the sandbox from closing.
		forceCloseConnections: true,
		// Answers have no schemas, yet Fastify would load the compiler for them at each start.
		schemaController: { compilersFactory: { buildSerializer: () => () => JSON.stringify } },
		frameworkErrors: (_error, _request, reply) => {
			(reply as FastifyReply).code(404).send(errorBody(meaningOf(404)!));
		},
	});
	app.register(async (scope) => controlRoutes(scope, state));
	app.register(async (scope) => serviceRoutes(scope, state));
	return app;
}

/** A route for people who run the sandbox by hand. It needs no key: the sandbox listens on loopback only. */
function controlRoutes(app: FastifyInstance, state: SandboxState): void {
	app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
		const issues = error instanceof ZodError ? error.issues : [];
		const told = issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
		const status = told ? 400 : (error.statusCode ?? 500);
		reply.code(status).send(errorBody(told || error.message));
	});

	app.patch('/sandbox/settings', ({ body }) => {
		patchSettings(state.settings, body);
		if (Object(body).credits) Object.assign(state.account.credits, state.settings.credits);
		const { port, key, seed, catalogs, clock, ...shown } = state.settings;
		return shown;
	});
}

/** Leaves room for a file of half this size that is sent as a text. */
const MAX_TEXT_BYTES = 512 * 1024 * 1024;

/** Serves the service and its media under any path, so that the routes can follow the settings. */
function serviceRoutes(app: FastifyInstance, state: SandboxState): void {
	// We parse the text ourselves: a malformed body must not be refused before the key is checked.
	app.removeAllContentTypeParsers();
	const asText = { parseAs: 'string', bodyLimit: MAX_TEXT_BYTES } as const;
	app.addContentTypeParser('*', asText, (_request, text, done) => done(null, text));
	app.addContentTypeParser(
		'multipart/form-data',
		async ({ headers }: FastifyRequest, body: AsyncIterable<Buffer>) =>
			(await readForm(body, headers['content-type'] ?? '')) ?? '(a malformed form)',
	);
	app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
		const isCaller = (error.statusCode ?? 500) < 500;
		reply.code(isCaller ? 400 : 500).send(errorBody(error.message));
	});
	app.all('/*', (request, reply) => handle(state, request, reply));
}

async function handle(state: SandboxState, request: FastifyRequest, reply: FastifyReply) {
	const { method, headers, body, protocol, host } = request;
	const outcome = await receive(state, {
		method,
		path: request.url.split('?')[0] ?? '',
		query: request.query as Values,
		headers,
		body,
		origin: `${protocol}://${host}`,
	});
	if (outcome === 'reset' || outcome === 'hang') {
		reply.hijack();
		// A request that hangs needs nothing done.
		if (outcome === 'reset') request.raw.socket.resetAndDestroy();
		return reply;
	}
	return reply
		.code(outcome.status)
		.headers(outcome.headers ?? {})
		.send(await outcome.body);
}
