import type { FastifyInstance } from 'fastify';
import { ZodError } from 'zod';

import { errorBody } from './serviceError.mts';
import { patchSettings } from './settings.mts';
import type { SandboxState } from './state.mts';

/** A route for people who run the sandbox by hand. It needs no key: the sandbox listens on the loopback interface only. */
export function controlRoutes(app: FastifyInstance, state: SandboxState): void {
	app.setErrorHandler<Error & { statusCode?: number }>((error, _request, reply) => {
		const status = error instanceof ZodError ? 400 : (error.statusCode ?? 500);
		reply.code(status).send(errorBody(messageOf(error)));
	});

	app.patch('/sandbox/settings', ({ body }) => {
		patchSettings(state.settings, body);
		if (Object(body).credits) Object.assign(state.account.credits, state.settings.credits);
		return shownSettings(state);
	});
}

/** All settings that can be changed. */
function shownSettings({ settings }: SandboxState): object {
	const { port, key, seed, catalogs, clock, ...shown } = settings;
	return shown;
}

function messageOf(error: Error): string {
	if (!(error instanceof ZodError)) return error.message;
	return error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('; ');
}
