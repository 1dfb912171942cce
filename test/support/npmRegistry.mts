import { createHash } from 'node:crypto';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

import type { FastifyInstance } from 'fastify';

import { removeFolder } from '../../tools/lib/temporaryFolder.mts';
import { readManifest, type Manifest } from './packed.mts';
import { startPublicHosts, type PublicHosts } from './publicHosts.mts';

/** Where npm, and n8n's *Community nodes*, ask for packages. */
const REGISTRY = 'https://registry.npmjs.org';

/** Where n8n asks whether a package is banned, or verified. */
const N8N = 'https://api.n8n.io';

/** Stands in for the public npm registry, with a single package, for npm and n8n on this machine. */
export interface NpmRegistry extends PublicHosts {
	/** Adds a packed version, which is the latest from now on. Gives its number. */
	publish(tarball: string): Promise<string>;
}

export async function startNpmRegistry(): Promise<NpmRegistry> {
	const versions: Record<string, Published> = {};
	const home = await fs.mkdtemp(path.join(os.tmpdir(), 'mediagen-home-'));
	const hosts = await startPublicHosts([REGISTRY, N8N].map(hostOf), (app) =>
		addRoutes(app, versions),
	);
	return {
		...hosts,
		env: {
			...hosts.env,
			// The person's own npm settings may name another registry, and the npm cache has packages.
			HOME: home,
			npm_config_globalconfig: path.join(home, 'npmrc'),
			npm_config_update_notifier: 'false',
		},
		publish: async (tarball) => {
			const manifest = await readManifest(tarball);
			versions[manifest.version] = publishedAs(manifest, await fs.readFile(tarball));
			return manifest.version;
		},
		close: async () => {
			await hosts.close();
			await removeFolder(home);
		},
	};
}

interface Published {
	content: Buffer;
	document: Manifest & { dist: { tarball: string; integrity: string } };
}

function publishedAs(manifest: Manifest, content: Buffer): Published {
	const { name, version } = manifest;
	const tarball = `${REGISTRY}/${name}/-/${name}-${version}.tgz`;
	const integrity = `sha512-${createHash('sha512').update(content).digest('base64')}`;
	return { content, document: { ...manifest, dist: { tarball, integrity } } };
}

/** Adds the registry's routes, and those where n8n asks about packages: all are allowed. */
function addRoutes(app: FastifyInstance, versions: Record<string, Published>): void {
	const latest = () => Object.keys(versions).at(-1) ?? '';
	const documents = () => Object.entries(versions).map(([, { document }]) => document);
	const isKnown = (name: string) => documents().some((document) => document.name === name);
	app.get<{ Params: { name: string } }>('/:name', async ({ params: { name } }, reply) => {
		if (!isKnown(name)) return reply.callNotFound();
		const all = documents().map((document) => [document.version, document]);
		return { name, 'dist-tags': { latest: latest() }, versions: Object.fromEntries(all) };
	});
	app.get<{ Params: { name: string; version: string } }>(
		'/:name/:version',
		async ({ params: { name, version } }, reply) => {
			const published = versions[version === 'latest' ? latest() : version];
			return published?.document.name === name ? published.document : reply.callNotFound();
		},
	);
	app.get('/:name/-/:file', async ({ url }, reply) => {
		const published = Object.values(versions).find(
			({ document }) => document.dist.tarball === `${REGISTRY}${url}`,
		);
		return published ? reply.send(published.content) : reply.callNotFound();
	});
	// No package is banned, and none is verified.
	app.post('/api/package', async () => ({ status: 'OK' }));
	app.get('/api/community-nodes', async () => ({
		data: [],
		meta: { pagination: { page: 1, pageCount: 1 } },
	}));
}

function hostOf(url: string): string {
	return new URL(url).host;
}
