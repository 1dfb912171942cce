import { ToolError } from './errors.mjs';

/** Variables that say where the services of n8n's queue mode are, and what holds without them. */
const ADDRESSES = {
	QUEUE_TEST_REDIS_URL: 'redis://127.0.0.1:6379',
	QUEUE_TEST_POSTGRES_URL: 'postgres://postgres:postgres@127.0.0.1:5432/postgres',
};

/**
 * Where Redis and PostgreSQL are. PostgreSQL's address names a role that may create databases, and
 * the database it signs in to.
 *
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {{ redis: URL, postgres: URL }}
 */
export function queueAddresses(env = process.env) {
	return {
		redis: addressIn(env, 'QUEUE_TEST_REDIS_URL'),
		postgres: addressIn(env, 'QUEUE_TEST_POSTGRES_URL'),
	};
}

/**
 * An address as it may be shown.
 *
 * @param {URL} address
 */
export function withoutPassword(address) {
	const copy = new URL(address);
	copy.password = '';
	return copy.href;
}

/**
 * The settings by which n8n finds them.
 *
 * @param {{ redis: URL, postgres: URL }} addresses
 * @param {string} name The database, and the first part of every key in Redis.
 * @returns {Record<string, string>}
 */
export function queueSettings({ redis, postgres }, name) {
	return {
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: postgres.hostname,
		DB_POSTGRESDB_PORT: postgres.port || '5432',
		DB_POSTGRESDB_USER: decodeURIComponent(postgres.username),
		DB_POSTGRESDB_PASSWORD: decodeURIComponent(postgres.password),
		DB_POSTGRESDB_DATABASE: name,
		QUEUE_BULL_REDIS_HOST: redis.hostname,
		QUEUE_BULL_REDIS_PORT: redis.port || '6379',
		QUEUE_BULL_REDIS_USERNAME: decodeURIComponent(redis.username),
		QUEUE_BULL_REDIS_PASSWORD: decodeURIComponent(redis.password),
		QUEUE_BULL_REDIS_DB: redis.pathname.slice(1) || '0',
		QUEUE_BULL_REDIS_TLS: String(redis.protocol === 'rediss:'),
		QUEUE_BULL_PREFIX: name,
		// The channels by which main and workers talk have a prefix of their own.
		N8N_REDIS_KEY_PREFIX: name,
	};
}

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {keyof typeof ADDRESSES} variable
 */
function addressIn(env, variable) {
	const text = env[variable] || ADDRESSES[variable];
	if (URL.canParse(text)) return new URL(text);
	throw new ToolError(`${variable} is no address. Such as: ${ADDRESSES[variable]}`);
}
