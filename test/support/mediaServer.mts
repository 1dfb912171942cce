import { createHash } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';

/** How a file is served. */
export interface Serving {
	/** Size of the file, bytes; `Infinity` for one that never ends. 1000 when left out. */
	bytes?: number;
	/** The file's first bytes; those of a PNG when left out. */
	start?: string;
	/** Content-Type; none when left out. */
	contentType?: string;
	/** Sends no Content-Length. */
	chunked?: boolean;
	/** Resets the connection after this many bytes. */
	cutAfter?: number;
	/** Sends nothing more after this many bytes, and keeps the connection open. */
	stallAfter?: number;
	/** How many answers are cut, stalled or have the status; later ones are whole. All when left out. */
	times?: number;
	/** Status instead of 200; the body is the same. */
	status?: number;
	/** Location of a redirect, which has the same body. */
	redirect?: string;
	/** ms before the answer. */
	delayMs?: number;
}

export interface MediaRequest {
	method: string;
	path: string;
	headers: IncomingHttpHeaders;
	/** Bytes of the body that were handed to the connection. */
	sent: number;
	/** How the connection of this request ended; undefined while it has not. */
	closed?: 'whole' | 'broken';
}

/** Serves media, separately from the service. */
export interface MediaServer {
	/** Serves a file under every path below the URL that is given back. */
	serve(serving?: Serving): string;
	/** All requests since the last `reset`, oldest first. */
	readonly requests: MediaRequest[];
	reset(): void;
	/** Closes at once, even while connections are open. */
	close(): Promise<void>;
}

const BLOCK_BYTES = 64 * 1024;
const PNG = '\x89PNG\r\n\x1a\n';
const LOOPBACK = '127.0.0.1';

/** Starts a server whose files are made while they are sent, so that large ones take no memory. */
export async function startMediaServer(): Promise<MediaServer> {
	const servings: Serving[] = [];
	const requests: MediaRequest[] = [];
	const spent = new Map<Serving, number>();
	const server = createServer((request, response) => {
		const { method = '', url = '', headers } = request;
		const entry: MediaRequest = { method, path: url, headers, sent: 0 };
		requests.push(entry);
		response.on('close', () => (entry.closed = response.writableFinished ? 'whole' : 'broken'));
		const serving = servings[Number(url.split('/')[1])];
		if (!serving) return response.writeHead(404).end();
		const used = spent.get(serving) ?? 0;
		spent.set(serving, used + 1);
		const isWhole = used >= (serving.times ?? Infinity);
		void answer(response, isWhole ? { ...serving, ...WHOLE } : serving, entry);
		return response;
	});
	await new Promise<void>((resolve) => server.listen(0, LOOPBACK, resolve));
	const { port } = server.address() as AddressInfo;
	return {
		serve: (serving = {}) => `http://${LOOPBACK}:${port}/${servings.push(serving) - 1}`,
		requests,
		reset: () => void requests.splice(0),
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** SHA-256 of a served file, in hex. */
export function sha256Of({ bytes = 1000, start = PNG }: Serving): string {
	const hash = createHash('sha256');
	for (const block of blocks(bytes, start)) hash.update(block);
	return hash.digest('hex');
}

const WHOLE: Serving = { cutAfter: undefined, stallAfter: undefined, status: undefined };

async function answer(response: ServerResponse, serving: Serving, entry: MediaRequest) {
	const { bytes = 1000, start = PNG, redirect, delayMs = 0 } = serving;
	const status = serving.status ?? (redirect === undefined ? 200 : 302);
	await sleep(delayMs);
	const isOpen = serving.chunked || bytes === Infinity;
	response.writeHead(status, {
		...(redirect !== undefined && { location: redirect }),
		...(serving.contentType && { 'content-type': serving.contentType }),
		...(!isOpen && { 'content-length': bytes }),
	});
	const { cutAfter = Infinity, stallAfter = Infinity } = serving;
	const last = Math.min(bytes, cutAfter, stallAfter);
	const body = Readable.from(blocks(last, start), { objectMode: false, highWaterMark: 1 });
	body.on('data', (chunk: Buffer) => (entry.sent += chunk.length));
	body.on('end', () => {
		if (last === bytes) return response.end();
		// Waits until what was sent is out: a reset throws away what is still queued.
		if (last === cutAfter) setTimeout(() => response.socket?.resetAndDestroy(), 50);
		return undefined;
	});
	response.on('close', () => body.destroy());
	return body.pipe(response, { end: false });
}

/** The content of a file: every block says where it is, so that a missing one is noticed. */
function* blocks(bytes: number, start: string): Generator<Buffer> {
	for (let at = 0; at < bytes; at += BLOCK_BYTES) {
		const block = Buffer.alloc(Math.min(BLOCK_BYTES, bytes - at), `block at ${at};`);
		if (at === 0) block.write(start, 'latin1');
		yield block;
	}
}
