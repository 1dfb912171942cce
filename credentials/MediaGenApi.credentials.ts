import type {
	IAuthenticate,
	Icon,
	ICredentialTestRequest,
	ICredentialType,
	INodeProperties,
} from 'n8n-workflow';

import { CREDENTIAL_SETTINGS } from '../nodes/shared/form/credential';
import { authenticate, CREDENTIAL_TEST } from '../nodes/shared/service/credential';

export class MediaGenApi implements ICredentialType {
	name = 'mediaGenApi';

	displayName = 'MediaGen API';

	icon: Icon = {
		light: 'file:../icons/mediagenImage.svg',
		dark: 'file:../icons/mediagenImage.dark.svg',
	};

	documentationUrl = 'https://github.com/mediagen/n8n-nodes-mediagen/blob/HEAD/docs/credential.md';

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
			description:
				'From the dashboard of the service. It opens the account and its credits: never put it into code that runs in a browser or an app.',
		},
		...CREDENTIAL_SETTINGS,
	];

	authenticate: IAuthenticate = async (credential, request) => authenticate(credential, request);

	test: ICredentialTestRequest = CREDENTIAL_TEST;
}
