import type { INodeProperties } from 'n8n-workflow';

import { HEADER_FORMS } from '../spec/account';
import { choice, text, toggle } from '../spec/field';
import { ACCOUNT_KINDS } from '../spec/limits';
import { SERVICE_DETAILS, UPLOAD_MODES } from '../spec/openPoints';
import { DETAILS_LIST } from './names';
import { propertyOf } from './operation';

/** What can be chosen, with what the dropdown says of it; the first is the default. */
type Entries = ReadonlyArray<{ value: string; label: string; description: string }>;

const dropdown = (name: string, label: string, description: string, entries: Entries) => {
	const choices = entries.map((one) => [one.value, [one.label, one.description]] as const);
	return propertyOf(choice(name, label, description, Object.fromEntries(choices)));
};

/** Stands for the key in an example. */
const KEY = '<API key>';

const secret = (name: string, label: string, description: string): INodeProperties => {
	const about = `Only for MediaGen Account, API Key > Create. ${description}. Sent with no other request.`;
	return propertyOf(text(name, label, about, { isSecret: true }));
};

/** A row each for what the user knows and the document leaves open; of two for the same, the last counts. */
const DETAILS: INodeProperties = {
	displayName: DETAILS_LIST.label,
	name: DETAILS_LIST.name,
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add Detail',
	default: {},
	description:
		'What the service does not document, if you know it: paths, and names of fields. Music, Family C Image to Video and Family E need their paths; the rest works without for a first try.',
	options: [
		{
			displayName: 'Detail',
			name: DETAILS_LIST.rows,
			values: [
				dropdown(
					'what',
					'What',
					'Which path or field it is',
					SERVICE_DETAILS.map(({ name, label, what, example }) => ({
						value: name,
						label,
						description: `${what}. Such as ${example}.`,
					})),
				),
				propertyOf(text('value', 'Value', 'The path or the name, as the service tells you')),
			],
		},
	],
};

/** Everything that the credential offers besides the address and the key. */
export const CREDENTIAL_SETTINGS: INodeProperties[] = [
	dropdown(
		'accountKind',
		'Account',
		'What kind of account the key belongs to: how many requests it may send',
		ACCOUNT_KINDS.map((kind) => ({ ...kind, description: `At most ${kind.words}` })),
	),
	dropdown(
		'headerForm',
		'Header Form',
		'How the key is written in the Authorization header',
		HEADER_FORMS.map((form) => ({
			...form,
			description: `Authorization: ${form.prefix}${KEY}${'also' in form ? `; also for ${form.also}` : ''}`,
		})),
	),
	propertyOf(
		toggle(
			'allowHttp',
			'Allow Plain HTTP',
			'Whether the Base URL may be http on another machine. The key can then be read on the way.',
		),
	),
	dropdown(
		'uploadAs',
		'Upload Files As',
		'How music files travel to the service, which does not document it',
		UPLOAD_MODES,
	),
	DETAILS,
	secret(
		'sessionToken',
		'Session ID',
		'The cookie sessionid of a browser that is signed in to the service',
	),
	secret('csrfToken', 'CSRF Token', 'The X-CSRFToken of the same browser session'),
	secret(
		'authToken',
		'Auth Token (Legacy)',
		'In place of a browser session: a token from the time when the service gave them out',
	),
];
