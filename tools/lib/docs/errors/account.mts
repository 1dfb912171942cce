import { SETTINGS_PLACE } from '../../../../nodes/shared/parameters/names.ts';
import { ACCOUNT_OPERATIONS } from '../../../../nodes/shared/spec/account.ts';
import type { Refusal } from '../../../../nodes/shared/spec/types.ts';
import { entryOf, NOTHING, type ErrorGroup } from './entry.mts';

/** What an operation of the account says of a status in words of its own. */
function refusal(name: string, status: number): Refusal {
	const operation = ACCOUNT_OPERATIONS.find(({ operation }) => operation === name);
	return ('refusals' in operation! && operation.refusals?.[status]) as Refusal;
}

export const ACCOUNT: ErrorGroup = {
	title: 'API keys and sessions',
	intro: `_API Key > Create_ and _Session_ of MediaGen Account do not use the API key. What they use is in ${SETTINGS_PLACE}.`,
	guide: ['MediaGen Account', 'accountNode.md'],
	charged: NOTHING,
	entries: [
		{
			message:
				'An API key is created with a browser session or a legacy auth token; the credential has neither',
			means: 'The service creates keys only for a signed-in user.',
			advice:
				'Enter both _Session ID_ and _CSRF Token_, or _Auth Token (Legacy)_. Or create the key in the dashboard of the service.',
		},
		{
			message: 'The Session ID has characters that the value of a cookie cannot have',
			means: 'More than the value of the cookie was copied, such as its name or a semicolon.',
			advice: 'Copy only the value of the cookie `sessionid`.',
		},
		entryOf(refusal('create', 401), { means: 'The service does not know who is asking.' }),
		entryOf(refusal('create', 403), {
			means: 'The service knows the session, but refuses to create a key for it.',
		}),
		entryOf(refusal('logIn', 403), {
			means: 'You can no longer sign in or register through the API.',
		}),
		{
			message:
				'Not sent again, since the first try may have been carried out: <message of the first try>',
			means:
				'The answer to the creation of a key was lost. A second request might create a second key.',
			advice:
				'Look in the dashboard of the service. If the key is not there, retry the execution or run the workflow again.',
		},
	],
};
