import { more, required, text, toggle } from './field';
import {
	type Catalog,
	type ListOperation,
	type RecordFields,
	type RecordOperation,
	resource,
} from './operation';

/** Sections "Account and keys" and "Authentication". */

/** Credit summary; free, so the credential is tested with it. */
export const CREDITS_PATH = '/payments/api/credits/';

/** Field of the credit summary and of a user that has the balance, in credits. */
export const CREDITS_BALANCE_FIELD = 'credits_balance';

/** Section "Authentication", item 1: the three accepted forms of the Authorization header. */
export const HEADER_FORMS = [
	{ value: 'bearer', label: 'Bearer', prefix: 'Bearer ' },
	{ value: 'token', label: 'Token', prefix: 'Token ', also: 'a legacy auth token' },
	{ value: 'key', label: 'Key Alone', prefix: '' },
] as const;

const PROFILE = resource('profile', 'Profile', 'Name, balance, watermark');
const CREDITS = resource('credits', 'Credits', 'Balance and transactions');
const API_KEY = resource('apiKey', 'API Key', 'Keys for programs');
const SESSION = resource(
	'session',
	'Session',
	'Signing in through the API; the service has disabled it',
);

/** Section "User"; a profile begins with the same fields. */
const USER: RecordFields = {
	id: 'number',
	username: 'string',
	email: 'string',
	[CREDITS_BALANCE_FIELD]: 'number',
};

const GET_PROFILE: RecordOperation = {
	kind: 'record',
	resource: PROFILE.value,
	operation: 'get',
	label: 'Get',
	action: 'Get the profile',
	description: 'Read the profile of the account',
	method: 'GET',
	path: '/api/profile/',
	fields: [],
	answer: {
		...USER,
		total_images_generated: 'number',
		enable_watermark: 'boolean',
		watermark_text: 'string',
		created_at: 'string',
	},
};

const UPDATE_PROFILE: RecordOperation = {
	...GET_PROFILE,
	operation: 'update',
	label: 'Update',
	action: 'Update the profile',
	description: 'Change settings of the profile; only the fields that you add are sent',
	method: 'PUT',
	fields: [
		...more(
			toggle('enable_watermark', 'Enable Watermark', 'Whether results carry a watermark'),
			text(
				'watermark_text',
				'Watermark Text',
				'Text of the watermark; left empty, an empty text is sent, to remove the one that is there',
				{ placeholder: '© Example Studio' },
			),
		),
	],
	answer: undefined,
};

const GET_CREDITS: RecordOperation = {
	...GET_PROFILE,
	resource: CREDITS.value,
	label: 'Get',
	action: 'Get the credit summary',
	description: 'Read the credit balance, the credits bought and the money spent on them',
	path: CREDITS_PATH,
	answer: {
		[CREDITS_BALANCE_FIELD]: 'number',
		total_spent: 'string',
		total_credits_purchased: 'number',
	},
};

/** The body is not shown. */
export const LIST_TRANSACTIONS: ListOperation = {
	kind: 'list',
	resource: CREDITS.value,
	operation: 'transactions',
	label: 'Get Transactions',
	action: 'Get the transactions',
	description: 'List the transactions of the account, one item each',
	method: 'GET',
	path: '/payments/api/transactions/',
	fields: [],
};

/** Takes a browser session or a legacy auth token, but no API key. */
export const API_KEYS_PATH = '/api/api-keys/';

const CREATE_API_KEY: RecordOperation = {
	kind: 'record',
	resource: API_KEY.value,
	operation: 'create',
	label: 'Create',
	action: 'Create an API key',
	description: 'Create an API key with the browser session or the auth token of the credential',
	method: 'POST',
	path: API_KEYS_PATH,
	answer: {
		id: 'string',
		name: 'string',
		key: 'string',
		key_preview: 'string',
		created_at: 'string',
	},
	fields: [
		required(
			text(
				'name',
				'Name',
				'Label of the key in the dashboard. The full key is in the output once and cannot be read again: store it now',
				{ placeholder: 'n8n on the office server' },
			),
		),
	],
};

const username = required(text('username', 'Username', 'Name of the account'));
const email = required(text('email', 'Email', 'Address of the account'));
const password = required(
	text('password', 'Password', 'Password of the account', { isSecret: true }),
);

/** Requests that are sent without a key, for people who have none yet. */
const LOGIN_PATH = '/api/login/';
const REGISTER_PATH = '/api/register/';
export const PATHS_WITHOUT_KEY: readonly string[] = [LOGIN_PATH, REGISTER_PATH];

const LOG_IN: RecordOperation = {
	kind: 'record',
	resource: SESSION.value,
	operation: 'logIn',
	label: 'Log In (Disabled by the Service)',
	action: 'Log in (disabled by the service)',
	description: 'Sign in for a legacy auth token; disabled: go to /accounts/login/ on the website',
	method: 'POST',
	path: LOGIN_PATH,
	fields: [username, password],
	answer: { token: 'string', user: USER },
};

const REGISTER: RecordOperation = {
	...LOG_IN,
	operation: 'register',
	label: 'Register (Disabled by the Service)',
	action: 'Register (disabled by the service)',
	description: 'Create an account; disabled: go to /accounts/login/ on the website',
	path: REGISTER_PATH,
	fields: [username, email, password],
};

/** What MediaGen Account offers, in the order of its dropdowns. */
export const ACCOUNT_CATALOG: Catalog = {
	resources: [PROFILE, CREDITS, API_KEY, SESSION],
	operations: [
		GET_PROFILE,
		UPDATE_PROFILE,
		GET_CREDITS,
		LIST_TRANSACTIONS,
		CREATE_API_KEY,
		LOG_IN,
		REGISTER,
	],
};
