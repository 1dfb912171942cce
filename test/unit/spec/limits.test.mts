import { HEADER_FORMS, CREDITS_PATH } from '../../../nodes/shared/spec/account.ts';
import {
	CONCURRENT_GENERATIONS,
	REQUEST_WINDOW_MS,
	REQUESTS_PER_WINDOW,
} from '../../../nodes/shared/spec/limits.ts';
import { isFinal, JOB_STATES } from '../../../nodes/shared/spec/states.ts';
import { ERROR_STATUSES } from '../../../nodes/shared/spec/statuses.ts';

/** Literals from the document: "Limits", "States and transitions", "Errors", "Authentication". */

test('100 requests per minute, 5 generations at a time', () => {
	expect([REQUESTS_PER_WINDOW, REQUEST_WINDOW_MS, CONCURRENT_GENERATIONS]).toEqual([
		100, 60_000, 5,
	]);
});

test('four states, two of them final', () => {
	expect(JOB_STATES).toEqual(['queued', 'processing', 'completed', 'failed']);
	expect(JOB_STATES.filter(isFinal)).toEqual(['completed', 'failed']);
});

test('the error statuses', () => {
	expect(Object.keys(ERROR_STATUSES)).toEqual(['400', '401', '402', '403', '404', '429', '500']);
});

test('three header forms, and the credit summary', () => {
	expect(HEADER_FORMS.map(({ prefix }) => `${prefix}<API_KEY>`)).toEqual([
		'Bearer <API_KEY>',
		'Token <API_KEY>',
		'<API_KEY>',
	]);
	expect(CREDITS_PATH).toBe('/payments/api/credits/');
});
