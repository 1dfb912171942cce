import type { FastifyRequest } from 'fastify';

import { startPublicHosts, type PublicHosts } from './publicHosts.mts';

/** The hosts of the services that examples bring media to, or get texts and files from. */
const HOSTS = ['blog.example.com', 'sheets.googleapis.com', 'slack.com', 'www.googleapis.com'];

/** Largest body of a request, bytes. */
const LARGEST = 20_000_000;

interface Answer {
	/** 200 when left out. */
	status?: number;
	headers?: Record<string, string>;
	/** An object is sent as JSON, a text or bytes as they are. */
	body?: object | string | Buffer;
}

/** Stands in for these services: n8n finds them by their own names. */
interface OtherServices extends PublicHosts {
	/** Set by the file whose tests are running; what it does not answer is refused. */
	answer: (request: FastifyRequest) => Answer | undefined;
}

export async function startOtherServices(): Promise<OtherServices> {
	const hosts = await startPublicHosts(HOSTS, (app) => {
		app.removeAllContentTypeParsers();
		app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) =>
			done(null, body),
		);
		app.all('/*', { bodyLimit: LARGEST }, async (request, reply) => {
			let answer: Answer | undefined;
			try {
				answer = services.answer(request);
			} catch (error) {
				hosts.refused.push(`${request.method} ${request.host}${request.url}: ${error}`);
				throw error;
			}
			if (!answer) return reply.callNotFound();
			const { status = 200, headers = {}, body = {} } = answer;
			return await reply.code(status).headers(headers).send(body);
		});
	});
	const services: OtherServices = { ...hosts, answer: () => undefined };
	return services;
}

/** A call that another service has received. */
interface Call {
	/** Such as `POST slack.com/api/chat.postMessage`. */
	route: string;
	query: Record<string, string>;
	headers: Record<string, unknown>;
	/** Parsed JSON, or the bytes of anything else; undefined when empty. */
	body: any;
}

/** What other services answer, by method, host and path. Anything else is refused. */
type Routes = Record<string, Answer | ((call: Call) => Answer)>;

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
	// Only files in the process of the set-up have them.
	const { mediaGenHosts: hosts } = globalThis as unknown as { mediaGenHosts: OtherServices };
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
