import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';

import type { MadeFile } from './audioFiles.mts';

/** Serves files that are made while they are sent. */
export interface FileServer {
	/** Serves a file under a name, and gives its address. */
	serve(name: string, file: MadeFile): string;
	close(): Promise<void>;
}

export async function startFileServer(): Promise<FileServer> {
	const files = new Map<string, MadeFile>();
	const server = createServer(({ url = '' }, response) => {
		const file = files.get(url.slice(1));
		if (!file) {
			response.writeHead(404).end();
			return;
		}
		response.writeHead(200, { 'content-length': file.size });
		Readable.from(file.chunks()).pipe(response);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const { port } = server.address() as AddressInfo;
	return {
		serve: (name, file) => {
			files.set(name, file);
			return `http://127.0.0.1:${port}/${name}`;
		},
		close: async () => {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
}

/** A file with this content. */
export function fileOf(content: Buffer | string): MadeFile {
	const bytes = Buffer.from(content);
	return { size: bytes.length, chunks: () => [bytes] };
}
