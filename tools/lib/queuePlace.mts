import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';

import { ToolError } from './errors.mjs';
import { onEnd } from './lifecycle.mjs';
import type { N8nInstall } from './n8nInstall.mts';

/** Where Redis and PostgreSQL are; PostgreSQL's address names a role that may create databases. */
const { QUEUE_TEST_REDIS_URL, QUEUE_TEST_POSTGRES_URL } = process.env;
const REDIS = new URL(QUEUE_TEST_REDIS_URL || 'redis://127.0.0.1:6379');
const POSTGRES = new URL(
	QUEUE_TEST_POSTGRES_URL || 'postgres://postgres:postgres@127.0.0.1:5432/postgres',
);

/** How long Redis or PostgreSQL may take to accept a connection, in ms. */
const CONNECT_TIMEOUT = 5000;

const HELP =
	'Install Redis and PostgreSQL (Debian and Ubuntu: "apt-get install redis-server postgresql") and ' +
	'start them, or say where they are with QUEUE_TEST_REDIS_URL and QUEUE_TEST_POSTGRES_URL. The ' +
	'role that PostgreSQL is asked with must be allowed to create databases.';

/**
 * Makes an empty PostgreSQL database and a key prefix in Redis for one n8n in queue mode, using n8n's own clients. Both
 * go when the tool ends; what a killed one leaves behind has a name that begins with `mediagen_test_`.
 */
export async function makeQueuePlace({ folder }: N8nInstall) {
	const fromN8n = createRequire(path.join(folder, 'package.json'));
	const [{ Client }, Redis] = [fromN8n('pg'), fromN8n('ioredis')];
	const postgres = new Client({
		connectionString: POSTGRES.href,
		connectionTimeoutMillis: CONNECT_TIMEOUT,
	});
	const redis = new Redis(REDIS.href, {
		lazyConnect: true,
		connectTimeout: CONNECT_TIMEOUT,
		retryStrategy: () => null,
	});
	// Commands on a broken connection fail anyway; those of Redis do not say why, so its error is kept.
	let broken: unknown;
	postgres.on('error', () => {});
	redis.on('error', (error: unknown) => (broken = error));
	await postgres.connect().catch(unreachable('PostgreSQL', POSTGRES));
	await redis.connect().catch((error: unknown) => unreachable('Redis', REDIS)(broken ?? error));
	const name = `mediagen_test_${randomBytes(6).toString('hex')}`;
	// A server's default encoding may be another one.
	await postgres.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
	/** Removes the database and the keys in Redis. */
	const remove = onEnd(async () => {
		await postgres.query(`DROP DATABASE ${name} WITH (FORCE)`);
		for await (const keys of redis.scanStream({ match: `${name}:*`, count: 1000 })) {
			if (keys.length > 0) await redis.unlink(keys);
		}
		redis.disconnect();
		await postgres.end();
	});
	return { settings: settingsFor(name), remove };
}

function unreachable(service: string, { host }: URL) {
	return (error: any) => {
		throw new ToolError(`${service} at ${host}: ${error.message || error.code || error}\n${HELP}`);
	};
}

/** The settings by which n8n finds the database and its part of Redis. */
function settingsFor(name: string) {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: POSTGRES.hostname,
		DB_POSTGRESDB_PORT: POSTGRES.port || '5432',
		DB_POSTGRESDB_USER: decodeURIComponent(POSTGRES.username),
		DB_POSTGRESDB_PASSWORD: decodeURIComponent(POSTGRES.password),
		DB_POSTGRESDB_DATABASE: name,
		QUEUE_BULL_REDIS_HOST: REDIS.hostname,
		QUEUE_BULL_REDIS_PORT: REDIS.port || '6379',
		QUEUE_BULL_REDIS_PASSWORD: decodeURIComponent(REDIS.password),
		QUEUE_BULL_PREFIX: name,
		// The channels between the main process and the workers have a prefix of their own.
		N8N_REDIS_KEY_PREFIX: name,
	};
}

/** Makes sure that Redis and PostgreSQL can be used; throws a ToolError otherwise. */
export async function requireQueueServices(n8n: N8nInstall) {
	await (await makeQueuePlace(n8n)).remove();
}
