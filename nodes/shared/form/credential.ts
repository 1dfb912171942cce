import type { INodeProperties } from 'n8n-workflow';

import { HEADER_FORMS } from '../spec/account';
import { ACCOUNT_KINDS, ACCOUNT_SETTING } from '../spec/limits';
import { UPLOAD_MODES, UPLOAD_SETTING } from '../spec/music/fields';
import { SERVICE_DETAILS } from '../spec/openPoints';
import { DETAILS_LIST } from './names';

/** The options of a dropdown; the first is the default. */
type Choices = ReadonlyArray<{ value: string; label: string; description: string }>;

function dropdown(
	{ name, label }: { name: string; label: string },
	choices: Choices,
	description: string,
): INodeProperties {
	const options = choices.map((choice) => ({
		name: choice.label,
		value: choice.value,
		description: choice.description,
	}));
	const byDefault = options[0]?.value ?? '';
	return { displayName: label, name, type: 'options', options, default: byDefault, description };
}

/** Stands for the key in an example. */
const KEY = '<API key>';

const secret = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	typeOptions: { password: true },
	default: '',
	description: `Only for MediaGen Account, API Key > Create. ${description}. Sent with no other request.`,
});

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
					{ name: 'what', label: 'What' },
					SERVICE_DETAILS.map(({ name, label, what, example, otherwise }) => ({
						value: name,
						label,
						description: `${what}. Such as ${example}. When not set: ${otherwise}.`,
					})),
					'Which path or field it is',
				),
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					description: 'The path or the name, as the service tells you',
				},
			],
		},
	],
};

/** Everything that the credential offers besides the address and the key. */
export const CREDENTIAL_SETTINGS: INodeProperties[] = [
	dropdown(
		ACCOUNT_SETTING,
		ACCOUNT_KINDS.map((kind) => ({ ...kind, description: `At most ${kind.words}` })),
		'What kind of account the key belongs to: how many requests it may send',
	),
	dropdown(
		{ name: 'headerForm', label: 'Header Form' },
		HEADER_FORMS.map((form) => ({
			...form,
			description: `Authorization: ${form.prefix}${KEY}${'also' in form ? `; also for ${form.also}` : ''}`,
		})),
		'How the key is written in the Authorization header',
	),
	{
		displayName: 'Allow Plain HTTP',
		name: 'allowHttp',
		type: 'boolean',
		default: false,
		description:
			'Whether the Base URL may be http on another machine. The key can then be read on the way.',
	},
	dropdown(
		UPLOAD_SETTING,
		UPLOAD_MODES,
		'How music files travel to the service, which does not document it',
	),
	DETAILS,
	secret(
		'Session ID',
		'sessionToken',
		'The cookie sessionid of a browser that is signed in to the service',
	),
	secret('CSRF Token', 'csrfToken', 'The X-CSRFToken of the same browser session'),
	secret(
		'Auth Token (Legacy)',
		'authToken',
		'In place of a browser session: a token from the time when the service gave them out',
	),
];
