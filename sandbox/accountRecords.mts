import {
	CREATE_API_KEY,
	CREDITS_PATH,
	GET_PROFILE,
	LOG_IN,
	REGISTER,
	UPDATE_PROFILE,
} from '../nodes/shared/spec/account.ts';
import type { Values } from '../nodes/shared/spec/conditions.ts';
import { CREATED, READ } from '../nodes/shared/spec/answers.ts';
import type { RecordOperation } from '../nodes/shared/spec/types.ts';
import { addKey, creditSummary, profileOf } from './account.mts';
import type { Answer, RoutedCall } from './service.mts';
import { ServiceError } from './serviceError.mts';
import type { SandboxState } from './state.mts';
import { objectBody, validate } from './validation.mts';

type AnswerRecord = (state: SandboxState, call: RoutedCall) => Answer;

const disabled = (what: string): AnswerRecord => {
	return () => {
		throw new ServiceError(403, `${what} is currently disabled.`);
	};
};

/** Answers of section "Account and keys", by method and path. */
const ANSWERS: Record<string, AnswerRecord> = {
	[`GET ${CREDITS_PATH}`]: ({ account }) => ({ status: READ, body: creditSummary(account) }),
	[nameOf(GET_PROFILE)]: (state) => ({ status: READ, body: profileOf(state) }),
	[nameOf(UPDATE_PROFILE)]: (state, call) => {
		Object.assign(state.account.profile, validBody(UPDATE_PROFILE, call));
		return { status: READ, body: profileOf(state) };
	},
	[nameOf(CREATE_API_KEY)]: ({ account, settings }, call) => {
		const { name } = validBody(CREATE_API_KEY, call);
		return { status: CREATED, body: addKey(account, String(name), settings.clock.now()) };
	},
	[nameOf(LOG_IN)]: disabled('Login'),
	[nameOf(REGISTER)]: disabled('Registration'),
};

export function answerRecord(state: SandboxState, call: RoutedCall): Answer {
	const { method, path } = call.match.route;
	const own = ANSWERS[`${method} ${path}`];
	if (!own) throw new ServiceError(404);
	return own(state, call);
}

function nameOf({ method, path }: RecordOperation): string {
	return `${method} ${String(path)}`;
}

function validBody(operation: RecordOperation, call: RoutedCall): Values {
	const body = objectBody(call.body);
	validate(operation, body);
	return body;
}
