import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port that nothing listens on: the wanted one if it is free, or else one below those that the operating system gives
 * to connections, since n8n may take half a minute until it listens itself.
 */
export async function freePort(wanted = randomInt(10_000, 30_000)): Promise<number> {
	const server = createServer().listen(wanted, '127.0.0.1');
	try {
		await once(server, 'listening');
	} catch {
		return await freePort();
	}
	server.close();
	await once(server, 'close');
	return wanted;
}
