import type { FastifyRequest } from 'fastify';

import { startPublicHosts, type PublicHosts } from './publicHosts.mts';
import { standIn } from './standIn.mts';

/** What another service has been sent. */
export interface Call {
	/** Such as `POST slack.com/api/chat.postMessage`. */
	route: string;
	query: Record<string, string>;
	headers: Record<string, unknown>;
	/** JSON as what it says, all else as bytes; undefined when empty. */
	body: any;
}

export interface Answer {
	/** 200 when left out. */
	status?: number;
	headers?: Record<string, string>;
	/** JSON, a text as it is, or bytes. */
	body?: object | string | Buffer;
}

/** What other services answer, by method, host and path. All else is refused. */
export type Routes = Record<string, Answer | ((call: Call) => Answer)>;

/** What n8n asks its makers by itself, such as for the list of community nodes. */
const OF_N8N = /^CONNECT \w+\.n8n\.io:443$/;

/** An OAuth credential of another service, as if a person had signed in there. */
export const SIGNED_IN = {
	clientId: 'client-of-a-test',
	clientSecret: 'secret-of-a-test',
	oauthTokenData: { access_token: 'token-of-a-test', token_type: 'Bearer' },
};

/** Bytes of a request. */
const LARGEST = 20_000_000;

/**
 * Stands in for the services that workflows bring media to, or get texts and files from. n8n finds them by their own
 * names, and the test has seen every call: one without a route fails it.
 */
export function useOtherServices(routes: Routes) {
	let started: PublicHosts | undefined;
	const hosts = standIn(() => started, 'other services');
	const calls: Call[] = [];
	const once: Array<[route: string, answer: Answer]> = [];

	const answerOf = (call: Call): Answer | undefined => {
		const index = once.findIndex(([route]) => route === call.route);
		const [, first] = once.splice(index, index < 0 ? 0 : 1)[0] ?? [];
		const answer = first ?? routes[call.route];
		return typeof answer === 'function' ? answer(call) : answer;
	};

	beforeAll(async () => {
		const names = Object.keys(routes).map((route) => route.split(/[ /]/)[1] ?? '');
		started = await startPublicHosts([...new Set(names)], (app) => {
			app.removeAllContentTypeParsers();
			app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
				done(null, body),
			);
			app.all('/*', { bodyLimit: LARGEST }, async (request, reply) => {
				const call = callOf(request);
				calls.push(call);
				const answer = answerOf(call);
				if (!answer) return reply.callNotFound();
				const { status = 200, headers = {}, body = {} } = answer;
				return await reply.code(status).headers(headers).send(body);
			});
		});
	});
	afterAll(async () => {
		await started?.close();
	});
	beforeEach(() => {
		calls.splice(0);
		once.splice(0);
	});
	afterEach(() => {
		const refused = hosts.refused.splice(0);
		expect(refused.filter((call) => !OF_N8N.test(call))).toEqual([]);
	});

	return {
		/** What n8n has to be started with in order to find them. */
		env: () => hosts.env,
		/** What they were sent in this test, oldest first. */
		calls,
		/** The calls of one route. */
		callsOf: (route: string) => calls.filter((call) => call.route === route),
		/** Answers the next call of that route otherwise. */
		answerOnce: (route: string, answer: Answer) => void once.push([route, answer]),
	};
}

function callOf({ method, host, url, headers, query, body }: FastifyRequest): Call {
	const route = `${method} ${host}${decodeURIComponent(url.replace(/\?.*/, ''))}`;
	return {
		route,
		query: query as Record<string, string>,
		headers,
		body: contentOf(body as Buffer | undefined, headers['content-type'] ?? ''),
	};
}

function contentOf(body: Buffer | undefined, type: string): unknown {
	if (!body?.length) return undefined;
	if (type.startsWith('application/json')) return JSON.parse(String(body));
	return body;
}
