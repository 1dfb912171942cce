import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HostileRequest {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	/** Bytes of the answer's body that were handed to the connection. */
	sent: number;
	/** The connection of this request has ended. */
	closed: boolean;
}

export interface HostileAnswer {
	status?: number;
	headers?: Record<string, string>;
	/** Parts of the body, sent as fast as the client takes them. */
	body?: Iterable<string | Buffer> | AsyncIterable<string>;
	/** The answer does not end after its body. */
	open?: boolean;
}

/** A server that answers in ways no honest service would. */
export interface HostileServer {
	url: string;
	/** Decides about each request. */
	answer: (request: HostileRequest) => HostileAnswer;
	/** All requests since the last `reset`. */
	requests: HostileRequest[];
	reset(): void;
	close(): Promise<void>;
}

const LOOPBACK = '127.0.0.1';

export async function startHostileServer(): Promise<HostileServer> {
	const server = createServer((request, response) => {
		const { method = '', url = '', headers } = request;
		const entry: HostileRequest = { method, path: url, headers, sent: 0, closed: false };
		hostile.requests.push(entry);
		response.on('close', () => (entry.closed = true));
		request.resume().on('end', () => void send(response, hostile.answer(entry), entry));
	});
	await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
	const { port } = server.address() as AddressInfo;
	const hostile: HostileServer = {
		url: `http://${LOOPBACK}:${port}`,
		answer: () => ({}),
		requests: [],
		reset: () => void hostile.requests.splice(0),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return hostile;
}

async function send(response: ServerResponse, answer: HostileAnswer, entry: HostileRequest) {
	const { status = 200, headers, body = ['{}'], open = false } = answer;
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	for await (const part of body) {
		if (response.destroyed) return;
		entry.sent += part.length;
		if (!response.write(part)) {
			await drained(response);
		}
	}
	if (!open) response.end();
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
