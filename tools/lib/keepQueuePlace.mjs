/**
 * A program: makes a database and keeps it, and the keys in Redis that begin with its name, for as
 * long as the process that started this one holds the other end of the channel. However hard that one
 * is killed, they are removed.
 *
 * Arguments: the folder of n8n, whose clients are used, and the name. The addresses come by
 * environment, so that no password is in the list of processes.
 */
import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';

import { describeError, ToolError } from './errors.mjs';
import { queueAddresses, withoutPassword } from './queueAddresses.mjs';

/** Milliseconds a service is given to accept a connection. */
const CONNECT_TIMEOUT = 5000;

/** Keys that are looked at with one request. */
const SCAN_COUNT = 1000;

const HELP =
	'Install Redis and PostgreSQL (Debian and Ubuntu: "apt-get install redis-server postgresql") and ' +
	'start them, or say where they are with QUEUE_TEST_REDIS_URL and QUEUE_TEST_POSTGRES_URL. The ' +
	'role that PostgreSQL is asked with must be allowed to create databases.';

const [folder = '', name = ''] = process.argv.slice(2);
const fromN8n = createRequire(path.join(folder, 'package.json'));
const { Client } = fromN8n('pg');
const Redis = fromN8n('ioredis');
const addresses = queueAddresses();
const released = once(process, 'disconnect');

try {
	await requireServices();
	// The encoding a server gives by default may be another one.
	await inPostgres(`CREATE DATABASE ${name} TEMPLATE template0 ENCODING 'UTF8'`);
} catch (error) {
	await tell({ problem: describeError(error) });
	process.exit(1);
}
await tell({ made: true });
await released;
try {
	await inPostgres(`DROP DATABASE ${name} WITH (FORCE)`);
	await inRedis(removeKeys);
} catch (error) {
	console.error(describeError(error));
	process.exit(1);
}

/** @param {{ made: true } | { problem: string }} message */
async function tell(message) {
	// Where nobody is left to hear it, that is an argument of the callback.
	await new Promise((resolve) => process.send?.(message, resolve));
}

async function requireServices() {
	const answers = await Promise.allSettled([
		inRedis((/** @type {any} */ redis) => redis.ping()),
		inPostgres('SELECT 1'),
	]);
	const problems = answers.flatMap((answer) =>
		answer.status === 'rejected' ? [describeError(answer.reason)] : [],
	);
	if (problems.length > 0) throw new ToolError([...problems, HELP].join('\n'));
}

/** @param {string} statement */
async function inPostgres(statement) {
	const { postgres } = addresses;
	const client = new Client({
		connectionString: postgres.href,
		connectionTimeoutMillis: CONNECT_TIMEOUT,
	});
	// A connection that breaks also fails what is asked of it.
	client.on('error', () => {});
	try {
		await client.connect();
		await client.query(statement);
	} catch (error) {
		throw new ToolError(`PostgreSQL at ${withoutPassword(postgres)}: ${reasonOf(error)}`);
	} finally {
		await client.end();
	}
}

/** @param {(redis: any) => Promise<unknown>} action */
async function inRedis(action) {
	const redis = new Redis(addresses.redis.href, {
		lazyConnect: true,
		connectTimeout: CONNECT_TIMEOUT,
		retryStrategy: () => null,
	});
	/** @type {unknown} */
	let broken;
	redis.on('error', (/** @type {unknown} */ error) => {
		broken = error;
	});
	try {
		await redis.connect();
		await action(redis);
	} catch (error) {
		const reason = reasonOf(broken ?? error);
		throw new ToolError(`Redis at ${withoutPassword(addresses.redis)}: ${reason}`);
	} finally {
		redis.disconnect();
	}
}

/** @param {any} redis */
async function removeKeys(redis) {
	for await (const keys of redis.scanStream({ match: `${name}:*`, count: SCAN_COUNT })) {
		if (keys.length > 0) await redis.unlink(keys);
	}
}

/** @param {unknown} error */
function reasonOf(error) {
	const { message, code } = /** @type {{ message?: string, code?: string }} */ (error);
	return message || code || String(error);
}
