import { retryAfterIn } from '../../../nodes/shared/account/backoff.ts';
import { refusal } from '../../../nodes/shared/service/serviceError.ts';

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

test('the error says how long to wait', () => {
	const error = refusal(429, '', 7000);
	expect(error.retryAfterMs).toBe(7000);
	expect(error.description).toContain('The service asks to wait 7 seconds.');
});
