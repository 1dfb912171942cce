import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

import { authenticate } from '../nodes/shared/service/credential';
import { CREDITS_PATH, HEADER_FORMS } from '../nodes/shared/spec/account';
import { UPLOAD_MODES, UPLOAD_SETTING } from '../nodes/shared/spec/music/uploads';
import { fieldSettings, pathSettings } from '../nodes/shared/spec/openPoints';

export class MediaGenApi implements ICredentialType {
	name = 'mediaGenApi';

	displayName = 'MediaGen API';

	icon: Icon = {
		light: 'file:../icons/mediagenImage.svg',
		dark: 'file:../icons/mediagenImage.dark.svg',
	};

	documentationUrl = 'https://github.com/mediagen/n8n-nodes-mediagen#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'https://api.example.com',
			description: 'Address of the Media Generation Service; the API key is sent nowhere else',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: 'From the dashboard of the service, after signing in there',
		},
		{
			displayName: 'Header Form',
			name: 'headerForm',
			type: 'options',
			options: HEADER_FORMS.map(({ value, label, prefix }) => ({
				name: label,
				value,
				description: `Authorization: ${prefix}<API key>`,
			})),
			default: HEADER_FORMS[0].value,
			description: 'How the key is written in the Authorization header',
		},
		{
			displayName: 'Session ID',
			name: 'sessionToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Only for the creation of API keys: the cookie sessionid of a browser that is signed in to the service. Sent with no other request.',
		},
		{
			displayName: 'CSRF Token',
			name: 'csrfToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Only for the creation of API keys: the X-CSRFToken of the same browser session. Sent with no other request.',
		},
		{
			displayName: 'Auth Token (Legacy)',
			name: 'authToken',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			description:
				'Only for the creation of API keys without a browser session: a legacy token, sent as Authorization: Token. The service gives out no new ones.',
		},
		{
			displayName: 'Allow Plain HTTP',
			name: 'allowHttp',
			type: 'boolean',
			default: false,
			description:
				'Whether the Base URL may be http on another machine. The key can then be read on the way.',
		},
		{
			displayName: UPLOAD_SETTING.label,
			name: UPLOAD_SETTING.name,
			type: 'options',
			options: UPLOAD_MODES.map(({ value, label, description }) => ({
				name: label,
				value,
				description,
			})),
			default: UPLOAD_MODES[0].value,
			description:
				'How music files travel to the service, which does not document it; change it only if you know better',
		},
		...pathSettings().map(
			({ name, label, placeholder }): INodeProperties => ({
				displayName: label,
				name,
				type: 'string',
				default: '',
				placeholder,
				description:
					'Only if you know it: the documentation of the service does not show this path',
			}),
		),
		...fieldSettings().map(
			({ name, label, placeholder, of }): INodeProperties => ({
				displayName: label,
				name,
				type: 'string',
				default: '',
				placeholder,
				description: `Only if you know it: name or path of ${of}, where the documentation of the service does not show it`,
			}),
		),
	];

	authenticate: IAuthenticate = async (credential, request) => authenticate(credential, request);

	test: ICredentialTestRequest = {
		request: { baseURL: '={{ $credentials.baseUrl }}', url: CREDITS_PATH },
	};
}
