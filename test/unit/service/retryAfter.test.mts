import { refusal, retryAfterIn } from '../../../nodes/shared/service/serviceError.ts';

const now = Date.UTC(2026, 0, 1);

test.each([
	['7', 7000],
	['0', undefined],
	['0.001', undefined],
	['1', 1000],
	['Thu, 01 Jan 2026 00:00:00 GMT', undefined],
	['Thu, 01 Jan 2026 00:00:30 GMT', 30_000],
	['Wed, 31 Dec 2025 00:00:00 GMT', undefined],
	['-1', undefined],
	['soon', undefined],
	['', undefined],
	[undefined, undefined],
])('Retry-After %p is %p ms', (value, ms) => {
	expect(retryAfterIn({ 'retry-after': value }, now)).toBe(ms);
});

test.each([
	['Thu, 01 Jan 2026 01:00:00 GMT', 30_000],
	['not a date', undefined],
	['Mon, 01 Jan 2001 00:00:00 GMT', undefined],
])('a date in Retry-After is compared with that of the answer, %p', (date, ms) => {
	const headers = { 'retry-after': 'Thu, 01 Jan 2026 01:00:30 GMT', date };
	expect(retryAfterIn(headers, now)).toBe(ms ?? 3_630_000);
});

test('a wrong date of the answer does not count where the pause is over', () => {
	const value = 'Thu, 01 Jan 2026 00:00:00 GMT';
	const date = 'Wed, 31 Dec 2025 00:00:00 GMT';
	expect(retryAfterIn({ 'retry-after': value, date }, now - 500)).toBeUndefined();
	expect(retryAfterIn({ 'retry-after': value, date }, now - 5000)).toBe(5000);
});

test('the error says how long to wait', () => {
	const error = refusal(429, { success: false, error: 'Slow down' }, '', 7000);
	expect(error.retryAfterMs).toBe(7000);
	expect(error.description).toContain('The service asks to wait 7 seconds.');
});
