import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';

import type { Values } from '../nodes/shared/spec/conditions.ts';
import { readForm } from './multipart.mts';
import { receive } from './receive.mts';
import { errorBody } from './serviceError.mts';
import type { SandboxState } from './state.mts';

/** Leaves room for a file of half this size that is sent as a text. */
const MAX_TEXT_BYTES = 512 * 1024 * 1024;

/** Stands for a form that cannot be read. */
const NO_FORM = '(a malformed form)';

/** Serves the service and its media under any path, so that the routes can follow the settings. */
export function serviceRoutes(app: FastifyInstance, state: SandboxState): void {
	// We parse the text ourselves: a malformed body must not be refused before the key is checked.
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
