import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

import { useStarted } from './useStarted.mts';

/** How a request is answered. */
export interface Answer {
	/** 200 when left out. */
	status?: number;
	headers?: Record<string, string | number>;
	/** Parts of the body, sent as fast as the client takes them. */
	body?: Iterable<string | Buffer> | AsyncIterable<string | Buffer>;
	/** What follows the body in place of the end: nothing, on an open connection, or a reset. */
	end?: 'never' | 'reset';
}

export interface PlayedRequest {
	path: string;
	method: string;
	headers: IncomingHttpHeaders;
	/** Bytes of the answer's body that were handed to the connection. */
	sent: number;
	/** How the connection has ended; undefined while it has not. */
	closed?: 'whole' | 'broken';
}

/** A server that answers as a test says: a place for media, or a service as no honest one is. */
export interface PlayedServer {
	url: string;
	/** Answers what `serve` does not; `undefined` resets the connection. */
	answer: (request: PlayedRequest) => Answer | undefined;
	/**
	 * Serves answers at an address and all below it: the first, then the next, and the last from then on.
	 *
	 * @returns the address
	 */
	serve(...answers: Answer[]): string;
	/** All since the last `reset`, oldest first. */
	requests: PlayedRequest[];
	/** Resolves when all connections of requests have ended. */
	untilClosed(): Promise<void>;
	reset(): void;
	/** Closes at once, even while connections are open. */
	close(): Promise<void>;
}

async function startPlayedServer(): Promise<PlayedServer> {
	const served: Answer[][] = [];
	const httpServer = createServer((request, response) => {
		const { method = '', url = '', headers } = request;
		const entry: PlayedRequest = { method, path: url, headers, sent: 0 };
		server.requests.push(entry);
		response.on('close', () => (entry.closed = response.writableFinished ? 'whole' : 'broken'));
		const own = served[Number(/^\/served-(\d+)/.exec(url)?.[1])];
		const answerOf = () => (own && own.length > 1 ? own.shift() : own?.[0]) ?? server.answer(entry);
		request.resume().on('end', () => void send(response, answerOf(), entry));
	});
	await new Promise<void>((resolve) => httpServer.listen(0, '127.0.0.1', resolve));
	const { port } = httpServer.address() as AddressInfo;
	const server: PlayedServer = {
		url: `http://127.0.0.1:${port}`,
		answer: () => ({}),
		serve: (...answers) => `${server.url}/served-${served.push(answers) - 1}`,
		requests: [],
		untilClosed: async () => {
			while (server.requests.some(({ closed }) => closed === undefined)) await sleep(20);
		},
		reset: () => {
			server.requests.splice(0);
			server.answer = () => ({});
		},
		close: async () => {
			httpServer.closeAllConnections();
			await new Promise((resolve) => httpServer.close(resolve));
		},
	};
	return server;
}

async function send(
	response: ServerResponse,
	answer: Answer | undefined,
	entry: PlayedRequest,
): Promise<void> {
	if (!answer) return void response.socket?.resetAndDestroy();
	const { status = 200, headers, body = ['{}'], end } = answer;
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	for await (const part of body) {
		if (response.destroyed) return;
		entry.sent += part.length;
		if (!response.write(part)) await drained(response);
	}
	if (!end) response.end();
	// Waits until what was sent is out: a reset throws away what is still queued.
	if (end === 'reset') setTimeout(() => response.socket?.resetAndDestroy(), 50);
}

/** Resolves when there is room for more, or the connection has closed. */
async function drained(response: ServerResponse): Promise<void> {
	await new Promise<void>((resolve) => {
		const done = () => {
			response.off('drain', done).off('close', done);
			resolve();
		};
		response.on('drain', done).on('close', done);
	});
}

/** One for the tests of a file. Each finds it as it started. */
export const usePlayedServer = (): PlayedServer =>
	useStarted(
		startPlayedServer,
		(server) => server.reset(),
		async (server) => await server.close(),
	);
