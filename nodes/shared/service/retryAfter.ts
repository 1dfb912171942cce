/**
 * The header Retry-After in ms: a number of seconds, or a date.
 *
 * @param now ms since 1970
 */
export function retryAfterIn(headers: unknown, now: number): number | undefined {
	const value: unknown = Object(headers)['retry-after'];
	if (typeof value !== 'string' || value.trim() === '') return undefined;
	const seconds = Number(value);
	const ms = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(value) - now;
	return Number.isFinite(ms) && ms >= 0 ? ms : undefined;
}
