import { createServer } from 'node:net';

const LOOPBACK = '127.0.0.1';

/** A port nothing listens on, chosen by the operating system. */
export async function freePort() {
	return await tryPort(0);
}

export async function isFree(port: number) {
	return await tryPort(port).then(
		() => true,
		() => false,
	);
}

function tryPort(port: number): Promise<number> {
	return new Promise((resolve, reject) => {
		const server = createServer();
		server.once('error', reject);
		server.listen(port, LOOPBACK, () => {
			const address = server.address();
			server.close(() => resolve(typeof address === 'object' && address ? address.port : port));
		});
	});
}
