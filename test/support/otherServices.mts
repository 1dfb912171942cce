import type { FastifyRequest } from 'fastify';

import { startPublicHosts, type PublicHosts } from './publicHosts.mts';

/** The hosts of the services that examples bring media to, or get texts and files from. */
const HOSTS = ['blog.example.com', 'sheets.googleapis.com', 'slack.com', 'www.googleapis.com'];

/** Largest body of a request, bytes. */
const LARGEST = 20_000_000;

export interface Answer {
	/** 200 when left out. */
	status?: number;
	headers?: Record<string, string>;
	/** An object is sent as JSON, a text or bytes as they are. */
	body?: object | string | Buffer;
}

/** Stands in for these services: n8n finds them by their own names. */
export interface OtherServices extends PublicHosts {
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
