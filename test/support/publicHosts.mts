import { execFile } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import util from 'node:util';

import Fastify, { type FastifyInstance } from 'fastify';

import { removeFolder } from '../../tools/lib/temporaryFolder.mts';

/** Stands in for hosts of the internet: programs ask for them by their own names, and over TLS. */
export interface PublicHosts {
	/** Environment of a program that is to find these hosts, and no others. */
	env: Record<string, string>;
	/** Requests for what is not there, on these hosts or on others. */
	refused: string[];
	close(): Promise<void>;
}

/** @param addRoutes what the hosts answer; all of them answer the same */
export async function startPublicHosts(
	hosts: readonly string[],
	addRoutes: (app: FastifyInstance) => void,
): Promise<PublicHosts> {
	const folder = await fs.mkdtemp(path.join(os.tmpdir(), 'mediagen-hosts-'));
	const { key, certificate } = await makeCertificate(folder, hosts);
	const refused: string[] = [];
	const https = { key: await fs.readFile(key), cert: await fs.readFile(certificate) };
	const app = Fastify({ https }) as object as FastifyInstance;
	addRoutes(app);
	app.setNotFoundHandler((request, reply) => {
		refused.push(`${request.method} ${request.host}${request.url}`);
		return reply.code(404).send({ error: 'Not found' });
	});
	await app.listen({ host: '127.0.0.1', port: 0 });
	const [{ port }] = app.addresses() as [net.AddressInfo];
	const proxy = await startProxy(hosts, port, refused);
	return {
		env: {
			HTTP_PROXY: proxy.url,
			HTTPS_PROXY: proxy.url,
			NO_PROXY: '127.0.0.1,localhost',
			NODE_EXTRA_CA_CERTS: certificate,
		},
		refused,
		close: async () => {
			await proxy.close();
			await app.close();
			await removeFolder(folder);
		},
	};
}

/** A key and a certificate for the hosts, as files in the folder. */
async function makeCertificate(folder: string, hosts: readonly string[]) {
	const key = path.join(folder, 'key.pem');
	const certificate = path.join(folder, 'certificate.pem');
	await util.promisify(execFile)('openssl', [
		...['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '7'],
		...['-subj', '/CN=stand-in', '-keyout', key, '-out', certificate],
		...['-addext', `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`],
	]);
	return { key, certificate };
}

/** A proxy that leads connections to the hosts to a port of this machine, and refuses all else. */
async function startProxy(hosts: readonly string[], port: number, refused: string[]) {
	const sockets = new Set<net.Socket>();
	const proxy = http.createServer((request, response) => {
		refused.push(`${request.method} ${request.url}`);
		response.writeHead(403).end();
	});
	proxy.on('connection', (socket: net.Socket) => {
		sockets.add(socket);
		socket.on('close', () => sockets.delete(socket));
	});
	proxy.on('connect', ({ url = '' }: http.IncomingMessage, socket: net.Socket) => {
		// Programs break connections off when they end.
		socket.on('error', () => socket.destroy());
		if (!hosts.includes(url.replace(/:443$/, ''))) {
			refused.push(`CONNECT ${url}`);
			socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			return;
		}
		const host = net.connect(port, '127.0.0.1', () => {
			socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
			socket.pipe(host).pipe(socket);
		});
		host.on('error', () => socket.destroy());
		socket.on('close', () => host.destroy());
	});
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	return {
		url: `http://127.0.0.1:${(proxy.address() as net.AddressInfo).port}`,
		close: async () => {
			proxy.close();
			for (const socket of sockets) socket.destroy();
			await once(proxy, 'close');
		},
	};
}
