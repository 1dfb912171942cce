import {
	ERROR_STATUSES,
	isFinal,
	JOB_STATES,
	stateNamed,
} from '../../../nodes/shared/spec/answers.ts';

/** Literals from the document: "States and transitions", "Errors". */

test('four states, two of them final', () => {
	expect(JOB_STATES).toEqual(['queued', 'processing', 'completed', 'failed']);
	expect(JOB_STATES.filter(isFinal)).toEqual(['completed', 'failed']);
});

test.each([
	['completed', 'completed'],
	[' FAILED\n', 'failed'],
	['Queued', 'queued'],
	['done', undefined],
	['', undefined],
])('%j names the state %p', (text, state) => {
	expect(stateNamed(text)).toBe(state);
});

test('the error statuses', () => {
	expect(Object.keys(ERROR_STATUSES)).toEqual(['400', '401', '402', '403', '404', '429', '500']);
});
