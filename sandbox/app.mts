import Fastify, { type FastifyInstance, type FastifyPluginAsync, type FastifyReply } from 'fastify';

import { ERROR_STATUSES } from '../nodes/shared/spec/answers.ts';
import { controlRoutes } from './controlRoutes.mts';
import { errorBody } from './serviceError.mts';
import { serviceRoutes } from './serviceRoutes.mts';
import type { SandboxState } from './state.mts';

/** The simulated service over a state, not listening yet. */
export function createSandboxApp(state: SandboxState): FastifyInstance {
	const app = Fastify({
		// A connection that a fault left hanging must not keep the sandbox from closing.
		forceCloseConnections: true,
		// Answers have no schema; the compiler for theirs would be loaded at each start.
		schemaController: { compilersFactory: { buildSerializer: () => () => JSON.stringify } },
		frameworkErrors: (_error, _request, reply) => {
			(reply as FastifyReply).code(404).send(errorBody(ERROR_STATUSES[404]));
		},
	});
	app.register(named('control', (scope) => controlRoutes(scope, state)));
	app.register(named('service', (scope) => serviceRoutes(scope, state)));
	return app;
}

/** Without a name, Fastify looks for one among all modules that are loaded. */
function named(name: string, addRoutes: (scope: FastifyInstance) => void): FastifyPluginAsync {
	const plugin = async (scope: FastifyInstance) => addRoutes(scope);
	return Object.assign(plugin, { [Symbol.for('fastify.display-name')]: name });
}
