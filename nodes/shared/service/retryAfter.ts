/** The header counts in seconds: whoever asks for less asks for nothing, ms. */
const LEAST_MS = 1000;

/**
 * The header Retry-After in ms: a number of seconds, or a date. `undefined` where it names no time
 * worth the name, so that the backoff of whoever asks counts.
 *
 * @param now ms since 1970
 */
export function retryAfterIn(headers: unknown, now: number): number | undefined {
	const value: unknown = Object(headers)['retry-after'];
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const seconds = Number(value);
	const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now;
	return Number.isFinite(ms) && ms >= LEAST_MS ? ms : undefined;
}
