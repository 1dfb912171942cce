import { randomBytes } from 'node:crypto';
import { createRequire } from 'node:module';
import path from 'node:path';

import { ToolError } from './errors.mjs';
import { onEnd } from './lifecycle.mjs';
import type { N8nInstall } from './n8nInstall.mts';

/** Where Redis and PostgreSQL are; PostgreSQL's address names a role that may create databases. */
const { QUEUE_TEST_REDIS_URL, QUEUE_TEST_POSTGRES_URL } = process.env;
const REDIS = QUEUE_TEST_REDIS_URL || 'redis://127.0.0.1:6379';
const POSTGRES = QUEUE_TEST_POSTGRES_URL || 'postgres://postgres:postgres@127.0.0.1:5432/postgres';

/** Milliseconds a service is given to accept a connection. */
const CONNECT_TIMEOUT = 5000;

/** Keys that are looked at with one request. */
const SCAN_COUNT = 1000;

/** With what the name of each such database begins. */
const PREFIX = 'mediagen_test_';

/**
 * Locks the databases whose owner is gone, and names them. An owner holds the lock of its database
 * from before that is made; PostgreSQL releases it with the connection, however the owner ends.
 */
const LOCK_STALE = `SELECT datname FROM pg_database
	WHERE starts_with(datname, '${PREFIX}') AND pg_get_userbyid(datdba) = current_user
	AND pg_try_advisory_lock(hashtext(datname))`;

const HELP =
	'Install Redis and PostgreSQL (Debian and Ubuntu: "apt-get install redis-server postgresql") and ' +
	'start them, or say where they are with QUEUE_TEST_REDIS_URL and QUEUE_TEST_POSTGRES_URL. The ' +
	'role that PostgreSQL is asked with must be allowed to create databases.';

/** An empty PostgreSQL database and a part of Redis, for one n8n in queue mode. */
interface QueuePlace {
	/** By which n8n finds it. */
	settings: Record<string, string>;
	/** Removes the database and the keys in Redis. */
	remove: () => Promise<void>;
}

/**
 * Makes such a place, and removes those that killed processes have left behind.
 *
 * @param n8n Its clients for Redis and PostgreSQL are used.
 */
export async function makeQueuePlace({ folder }: N8nInstall): Promise<QueuePlace> {
	const fromN8n = createRequire(path.join(folder, 'package.json'));
	const postgres = postgresAt(new URL(POSTGRES), fromN8n('pg').Client);
	const redis = redisAt(new URL(REDIS), fromN8n('ioredis'));
	const name = `${PREFIX}${randomBytes(6).toString('hex')}`;
	const drop = async (database: string) => {
		// The keys first: without the database, nobody would look for them.
		await redis.removeKeys(database);
		await postgres.query(`DROP DATABASE ${database} WITH (FORCE)`);
	};
	const close = async () => {
		redis.close();
		await postgres.close();
	};
	try {
		await postgres.connect();
		await redis.connect();
		for (const { datname } of await postgres.query(LOCK_STALE)) await drop(datname);
		await postgres.query(`SELECT pg_advisory_lock(hashtext('${name}'))`);
		// The encoding a server gives by default may be another one.
		await postgres.query(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
	} catch (error) {
		await close();
		throw error;
	}
	const remove = onEnd(async () => {
		try {
			await drop(name);
		} finally {
			await close();
		}
	});
	return { settings: settingsFor(name), remove };
}

/**
 * The settings by which n8n finds them.
 *
 * @param name The database, and the first part of every key in Redis.
 */
function settingsFor(name: string): Record<string, string> {
	const [redis, postgres] = [new URL(REDIS), new URL(POSTGRES)];
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: postgres.hostname,
		DB_POSTGRESDB_PORT: postgres.port || '5432',
		DB_POSTGRESDB_USER: decodeURIComponent(postgres.username),
		DB_POSTGRESDB_PASSWORD: decodeURIComponent(postgres.password),
		DB_POSTGRESDB_DATABASE: name,
		QUEUE_BULL_REDIS_HOST: redis.hostname,
		QUEUE_BULL_REDIS_PORT: redis.port || '6379',
		QUEUE_BULL_REDIS_PASSWORD: decodeURIComponent(redis.password),
		QUEUE_BULL_PREFIX: name,
		// The channels by which main and workers talk have a prefix of their own.
		N8N_REDIS_KEY_PREFIX: name,
	};
}

/** Makes sure that Redis and PostgreSQL are there and can be used. */
export async function requireQueueServices(n8n: N8nInstall) {
	await (await makeQueuePlace(n8n)).remove();
}

/** @param Client of the package pg */
function postgresAt(address: URL, Client: any) {
	const client = new Client({
		connectionString: address.href,
		connectionTimeoutMillis: CONNECT_TIMEOUT,
	});
	// A connection that breaks also fails what is asked of it.
	client.on('error', () => {});
	const fail = failAt(`PostgreSQL at ${address.host}`);
	return {
		connect: async () => await client.connect().catch(fail(HELP)),
		query: async (statement: string): Promise<any[]> =>
			(await client.query(statement).catch(fail())).rows,
		close: async () => await client.end(),
	};
}

/** @param Redis of the package ioredis */
function redisAt(address: URL, Redis: any) {
	const redis = new Redis(address.href, {
		lazyConnect: true,
		connectTimeout: CONNECT_TIMEOUT,
		retryStrategy: () => null,
	});
	/** Why the connection failed, which the error of what is asked of it does not say. */
	let broken: unknown;
	redis.on('error', (error: unknown) => {
		broken = error;
	});
	const fail = failAt(`Redis at ${address.host}`);
	return {
		connect: async () =>
			await redis.connect().catch((error: unknown) => fail(HELP)(broken ?? error)),
		removeKeys: async (prefix: string) => {
			for await (const keys of redis.scanStream({ match: `${prefix}:*`, count: SCAN_COUNT })) {
				if (keys.length > 0) await redis.unlink(keys).catch(fail());
			}
		},
		close: () => redis.disconnect(),
	};
}

function failAt(service: string) {
	return (help = '') =>
		(error: any) => {
			const problem = `${service}: ${error.message || error.code || error}`;
			throw new ToolError([problem, help].join('\n').trim());
		};
}
