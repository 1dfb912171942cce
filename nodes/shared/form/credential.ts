import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

import { HEADER_FORMS } from '../spec/account';
import { ACCOUNT_KINDS, ACCOUNT_SETTING } from '../spec/limits';
import { UPLOAD_MODES, UPLOAD_SETTING } from '../spec/music/fields';
import { FIELD_SETTINGS, PATH_SETTINGS, type PathSetting, STATUS_PATH } from '../spec/openPoints';
import { MORE_SETTINGS_LABEL } from './names';

type Conditions = NonNullable<IDisplayOptions['show']>;

/** Shows the settings that most people never need. */
const SWITCH: INodeProperties = {
	displayName: MORE_SETTINGS_LABEL,
	name: 'moreSettings',
	type: 'boolean',
	default: false,
	description:
		'Whether to show the settings that few accounts need. They stay in effect when this is off.',
};

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

const CONNECTION: INodeProperties[] = [
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
];

const secret = (displayName: string, name: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	typeOptions: { password: true },
	default: '',
	description,
});

const KEY_CREATION: INodeProperties[] = [
	secret(
		'Session ID',
		'sessionToken',
		'The cookie sessionid of a browser that is signed in to the service. Sent with no other request.',
	),
	secret(
		'CSRF Token',
		'csrfToken',
		'The X-CSRFToken of the same browser session. Sent with no other request.',
	),
	secret(
		'Auth Token (Legacy)',
		'authToken',
		'In place of a browser session: a token from the time when the service gave them out. Sent with no other request.',
	),
];

const UPLOADS: INodeProperties[] = [
	dropdown(
		UPLOAD_SETTING,
		UPLOAD_MODES,
		'How music files travel to the service, which does not document it',
	),
];

const pathProperty = ({ name, label, placeholder, description }: PathSetting): INodeProperties => ({
	displayName: label,
	name,
	type: 'string',
	default: '',
	placeholder,
	...(description !== undefined && { description }),
});

const PATHS: INodeProperties[] = [
	pathProperty(STATUS_PATH),
	...PATH_SETTINGS.filter(({ family }) => family === undefined).map(pathProperty),
];

const PER_FAMILY: INodeProperties = {
	displayName: 'Set Status Path per Family',
	name: 'statusPathsPerFamily',
	type: 'boolean',
	default: false,
	description: `Whether to show a status path for each family, which takes precedence over ${STATUS_PATH.label}. They stay in effect when this is off.`,
};

const FAMILY_PATHS: INodeProperties[] = PATH_SETTINGS.filter(
	({ family }) => family !== undefined,
).map(pathProperty);

const FIELDS: INodeProperties[] = FIELD_SETTINGS.map(
	({ name, label, placeholder, of, byDefault }) => ({
		displayName: label,
		name,
		type: 'string',
		default: '',
		placeholder,
		description:
			byDefault === undefined
				? `Name or path of ${of}`
				: `Name of ${of}. When empty: ${byDefault}.`,
	}),
);

/** The settings under one heading. */
interface Group {
	name: string;
	heading: string;
	/** What the settings are for. */
	about: string;
	properties: INodeProperties[];
	/** The settings that `PER_FAMILY` shows. */
	ofFamilies?: INodeProperties[];
}

const GROUPS: readonly Group[] = [
	{
		name: 'connectionHeading',
		heading: 'Connection',
		about: 'who calls, and how the key is sent.',
		properties: CONNECTION,
	},
	{
		name: 'pathsHeading',
		heading: 'Paths',
		about:
			'not documented by the service. Music, Family C Image to Video and Family E need theirs; the rest works without for a first try. The grey texts only show the format.',
		properties: [...PATHS, PER_FAMILY],
		ofFamilies: FAMILY_PATHS,
	},
	{
		name: 'answersHeading',
		heading: 'Files and Fields',
		about:
			'not documented, either. Needed only if the service rejects a file or field, or the node cannot find a result.',
		properties: [...UPLOADS, ...FIELDS],
	},
	{
		name: 'keyCreationHeading',
		heading: 'Creating API Keys',
		about: 'only for MediaGen Account, API Key > Create. Enter a browser session or a token.',
		properties: KEY_CREATION,
	},
];

const IS_ON = { [SWITCH.name]: [true] };
const IS_OFF = { [SWITCH.name]: [false] };
const perFamily = (value: boolean) => ({ ...IS_ON, [PER_FAMILY.name]: [value] });

const shown = (property: INodeProperties, show: Conditions): INodeProperties => ({
	...property,
	displayOptions: { show },
});

/**
 * Keeps the value of a setting that the form does not show. n8n drops settings that are not displayed,
 * both when it saves a credential and when a node reads one; a property of type `hidden` counts as
 * displayed, and needs no label or description.
 */
const kept = ({ name, typeOptions, default: start }: INodeProperties, show: Conditions) => ({
	displayName: '',
	name,
	type: 'hidden' as const,
	...(typeOptions ? { typeOptions } : {}),
	default: start,
	displayOptions: { show },
});

function propertiesOf({ name, heading, about, properties, ofFamilies = [] }: Group) {
	const displayName = `${heading}: ${about}`;
	const notice: INodeProperties = { displayName, name, type: 'notice', default: '' };
	return [
		...[notice, ...properties].map((property) => shown(property, IS_ON)),
		...ofFamilies.map((property) => shown(property, perFamily(true))),
		...ofFamilies.map((property) => kept(property, perFamily(false))),
		...[...properties, ...ofFamilies].map((property) => kept(property, IS_OFF)),
	];
}

/** Everything that the credential offers besides the address and the key, behind one switch. */
export const MORE_SETTINGS: INodeProperties[] = [SWITCH, ...GROUPS.flatMap(propertiesOf)];
