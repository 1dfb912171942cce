import { CREATED, ERROR_STATUSES, READ, type ErrorStatus } from '../nodes/shared/spec/answers.ts';
import type { Clock } from './clock.mts';
import type { Fault } from './faults.mts';
import type { JournalEntry } from './journal.mts';
import type { Answer } from './service.mts';
import { errorBody } from './serviceError.mts';

export type Outcome = Answer | 'reset' | 'hang';

type StatusFault = Extract<Fault, { kind: 'status' }>;

/** @param trueAnswer called only where the caller gets it in the end */
export async function strike(
	fault: Fault,
	{ kind }: JournalEntry,
	clock: Clock,
	trueAnswer: () => Answer,
): Promise<Outcome> {
	switch (fault.kind) {
		case 'slow':
			await clock.sleep(fault.ms);
			return trueAnswer();
		case 'status':
			return statusAnswer(fault);
		case 'garbage':
			return { ...GARBAGE, status: kind === 'create' ? CREATED : READ };
		default:
			return fault.kind;
	}
}

const GARBAGE = {
	body: '{"success": true, "data": {"gener',
	headers: { 'content-type': 'application/json' },
};

function statusAnswer({ status, body, contentType, headers }: StatusFault): Answer {
	const isText = typeof body === 'string';
	const standard = errorBody(ERROR_STATUSES[status as ErrorStatus] ?? `Error ${status}`);
	return {
		status,
		body: isText ? body : JSON.stringify(body ?? standard),
		headers: {
			...headers,
			'content-type': contentType ?? (isText ? 'text/html' : 'application/json'),
		},
	};
}
