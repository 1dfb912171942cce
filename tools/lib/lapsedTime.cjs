/**
 * How many times as fast tests let time pass. 20 and 30 work as well; but everything in n8n that gives
 * up after a while gives up that much earlier, and a slow machine needs its time.
 */
const TIME_LAPSE = 10;

/**
 * Time that passes faster than the machine's.
 *
 * @typedef {object} TimeLapse
 * @property {number} factor How many times as fast, at least 1.
 * @property {number} anchor A moment in that time, ms since 1970. It stays the same when a process is
 *   started again, so that its time goes on.
 * @property {number} [since] The machine's time at that moment; the same when left out.
 */

/**
 * @param {TimeLapse} timeLapse
 * @throws Error when it is none
 */
function lapsedTime({ factor, anchor, since = anchor }) {
	if (!(factor >= 1)) throw new Error(`Time cannot pass ${factor} times as fast.`);
	if (![anchor, since].every(Number.isFinite))
		throw new Error(`${anchor}, ${since}: no moments in time.`);
	return {
		/**
		 * Its time, ms since 1970.
		 *
		 * @param {number} real The machine's, ms since 1970.
		 */
		at: (real) => anchor + (real - since) * factor,
		/**
		 * How long the machine takes, ms; whole, and never so short that a timer would be early.
		 *
		 * @param {number} ms
		 */
		real: (ms) => Math.ceil(ms / factor),
	};
}

/**
 * How long n8n waits for what stays as slow as it is: databases, its task runner, its own end. In the
 * units of the settings, milliseconds and seconds; tens of times as long as n8n has it.
 */
const PATIENCE = {
	DB_PING_TIMEOUT_MS: '150000',
	DB_CONNECTION_ACQUISITION_TIMEOUT_MS: '900000',
	DB_POSTGRESDB_CONNECTION_TIMEOUT: '600000',
	N8N_RUNNERS_GRANT_TOKEN_TTL: '900',
	N8N_RUNNERS_HEARTBEAT_INTERVAL: '900',
	N8N_RUNNERS_TASK_ACCEPT_TIMEOUT: '60',
	N8N_RUNNERS_TASK_REQUEST_TIMEOUT: '1800',
	N8N_RUNNERS_TASK_TIMEOUT: '9000',
	N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '50',
};

/**
 * The settings of an n8n in which time passes faster.
 *
 * @param {TimeLapse} timeLapse
 * @returns {Record<string, string>}
 */
function timeLapseSettings(timeLapse) {
	return { MEDIAGEN_TIME_LAPSE: JSON.stringify(timeLapse), ...PATIENCE };
}

/**
 * The time of a process with such settings.
 *
 * @param {Record<string, string | undefined>} settings
 * @returns {TimeLapse | undefined}
 */
function timeLapseIn({ MEDIAGEN_TIME_LAPSE: text }) {
	return text === undefined ? undefined : JSON.parse(text);
}

module.exports = { TIME_LAPSE, lapsedTime, timeLapseSettings, timeLapseIn };
