import type { Values } from '../nodes/shared/spec/conditions.ts';
import { ACCOUNT_ENDPOINTS, SUCCESS } from '../test/document.mts';
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

/** Answers of section "Account and keys", by the names of its rows. */
const ANSWERS: Record<string, AnswerRecord> = {
	'get credits': ({ account }) => ({ status: SUCCESS.read, body: creditSummary(account) }),
	'get profile': (state) => ({ status: SUCCESS.read, body: profileOf(state) }),
	'update profile': (state, call) => {
		Object.assign(state.account.profile, validBody(call));
		return { status: SUCCESS.read, body: profileOf(state) };
	},
	'create API key': ({ account, settings }, call) => {
		const { name = '' } = validBody(call);
		const body = addKey(account, String(name), settings.clock.now());
		return { status: SUCCESS.creation, body };
	},
	'log in': disabled('Login'),
	register: disabled('Registration'),
};

export function answerRecord(state: SandboxState, call: RoutedCall): Answer {
	const { method, path } = call.match.route;
	const row = ACCOUNT_ENDPOINTS.find((one) => one.method === method && one.path === path);
	const own = ANSWERS[row?.name ?? ''];
	if (!own) throw new ServiceError(404);
	return own(state, call);
}

function validBody({ body, match }: RoutedCall): Values {
	const sent = objectBody(body);
	for (const operation of match.route.operations) validate(operation, sent);
	return sent;
}
