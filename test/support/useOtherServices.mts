import type { FastifyRequest } from 'fastify';

import type { Answer } from './otherServices.mts';
import { sharedHosts } from './sharedN8n.mts';

/** A call that another service has received. */
export interface Call {
	/** Such as `POST slack.com/api/chat.postMessage`. */
	route: string;
	query: Record<string, string>;
	headers: Record<string, unknown>;
	/** Parsed JSON, or the bytes of anything else; undefined when empty. */
	body: any;
}

/** What other services answer, by method, host and path. Anything else is refused. */
export type Routes = Record<string, Answer | ((call: Call) => Answer)>;

/** What n8n asks its makers unprompted, such as for the list of community nodes. */
const OF_N8N = /^CONNECT \w+\.n8n\.io:443$/;

/** An OAuth credential of another service, as if a person had signed in there. */
export const SIGNED_IN = {
	clientId: 'client-of-a-test',
	clientSecret: 'secret-of-a-test',
	oauthTokenData: { access_token: 'token-of-a-test', token_type: 'Bearer' },
};

/**
 * Answers what the workflows of a file ask of other services. Each test sees its calls, and fails after one
 * without a route.
 */
export function useOtherServices(routes: Routes) {
	const hosts = sharedHosts();
	if (!hosts) throw new Error('Other services are there for examples only.');
	const calls: Call[] = [];
	const once: Array<[route: string, answer: Answer]> = [];

	const answerOf = (call: Call): Answer | undefined => {
		const index = once.findIndex(([route]) => route === call.route);
		const [, first] = once.splice(index, index < 0 ? 0 : 1)[0] ?? [];
		const answer = first ?? routes[call.route];
		return typeof answer === 'function' ? answer(call) : answer;
	};

	beforeAll(() => {
		// When workflows of the previous file ended, they may have called to undo what they had registered.
		hosts.refused.splice(0);
		hosts.answer = (request) => {
			const call = callOf(request);
			calls.push(call);
			return answerOf(call);
		};
	});
	afterAll(() => {
		hosts.answer = () => undefined;
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
		/** What they were sent in this test, oldest first. */
		calls,
		/** The calls of one route. */
		callsOf: (route: string) => calls.filter((call) => call.route === route),
		/** Answers the next call of a route differently. */
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
