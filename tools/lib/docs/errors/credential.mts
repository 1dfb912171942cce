import {
	BEFORE_TLS,
	CONNECTION_TEXTS,
	notConnectedText,
	type ErrorText,
} from '../../../../nodes/shared/service/errorTexts.ts';
import { NOT_THE_SERVICE, OWN_TEXTS } from '../../../../nodes/shared/service/credentialTest.ts';
import { entryOf, NOTHING, type ErrorEntry, type ErrorGroup } from './entry.mts';

const [NO_HTTPS, CLOSED] = BEFORE_TLS.map(({ text }) => text) as [ErrorText, ErrorText];

/** What is said of the connection with the code that Node has for it. */
const connection = (code: string, means: string, own: Partial<ErrorEntry> = {}) =>
	entryOf(CONNECTION_TEXTS.get(code)!, { means, ...own });

/** What the test of the credential says of a status. */
const tested = (status: number, means: string) => entryOf(OWN_TEXTS[status]!, { means });

export const CREDENTIAL: ErrorGroup = {
	title: 'The credential and the address',
	intro:
		'The node checks the credential before it sends anything. n8n tests a credential when you save it; that reads the credit balance, which is free.',
	guide: ['Credential', 'credential.md'],
	charged: NOTHING,
	entries: [
		{
			message: 'The API key is empty',
			means: 'The credential has no key.',
			advice:
				'Create a key in the dashboard of the service and enter it as _API Key_ in the MediaGen API credential.',
		},
		{
			message: 'The Base URL "<text>" is not an http(s) address',
			means: 'The address in the credential is empty, or does not begin with `https://`.',
			advice: 'Enter the whole address of the service, such as `https://api.example.com`.',
		},
		{
			message:
				'The Base URL <address> is plain http: the key would be readable on the way. Use https, or turn on Allow Plain HTTP under More Settings',
			means:
				'Without https, everybody on the way to the service could read the key. The machine that n8n runs on is the only exception.',
			advice:
				'Change `http://` to `https://`. Turn on _Allow Plain HTTP_ only in a network of your own.',
		},
		{
			message: 'The MediaGen API key is sent to the Base URL of its credential only',
			means:
				'Something used the credential for an address with another host or port, such as an HTTP Request node.',
			advice: 'Use the credential for requests to the Base URL only.',
		},
		connection(
			'ERR_INVALID_CHAR',
			'A line break or another odd character came along with the key.',
		),
		tested(
			400,
			'The test of the credential: what is at the Base URL understands the request differently.',
		),
		entryOf(OWN_TEXTS[401]!, {
			means:
				'The service does not accept the key. The test of the credential says this, and so does every operation.',
		}),
		tested(
			402,
			'The test of the credential: the key works, but the account cannot pay for jobs yet.',
		),
		tested(
			403,
			'The test of the credential: the account of this key is not allowed to read its balance.',
		),
		entryOf(OWN_TEXTS[404]!, {
			means: 'The test of the credential: that address exists, but the API is not there.',
			advice:
				'Check the host name. The Base URL ends before the paths of the API, as in `https://api.example.com`.',
		}),
		{
			message: NOT_THE_SERVICE.properties.message,
			means: 'The test of the credential: something answers there, often a website.',
			advice: 'Ask the service for the address of its API and enter it as _Base URL_.',
		},
		connection('ECONNREFUSED', 'The machine is there, but nothing listens on that port.'),
		connection('ENOTFOUND', 'No machine has this name, so far as the n8n server knows.'),
		connection('EAI_AGAIN', 'The name service of the n8n server gave no answer.'),
		connection('ENETUNREACH', 'The n8n server has no route to the service.'),
		entryOf(NO_HTTPS, { means: 'The Base URL says https, and that port answers with plain http.' }),
		entryOf(CLOSED, {
			means: 'The service, or a proxy before it, hung up while the connection was being encrypted.',
		}),
		connection('CERT_HAS_EXPIRED', 'The service cannot prove who it is any more.'),
		connection('CERT_NOT_YET_VALID', 'Most often, the clock of the n8n server is wrong.'),
		connection(
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'The certificate was signed by nobody that the n8n server knows.',
		),
		connection('ERR_TLS_CERT_ALTNAME_INVALID', 'Another host answers under this name.'),
		connection('CERT_REVOKED', 'The certificate is damaged, revoked or not made for servers.', {
			advice:
				'Check the Base URL of the credential. The service has to replace the certificate. The description ends with the code of the fault.',
		}),
		entryOf(notConnectedText('<code>'), {
			means:
				'The connection failed before anything was sent, in a way that has no text of its own.',
			advice:
				'Check the network of the n8n server, then the Base URL of the credential. The description ends with the code of the fault.',
		}),
	],
};
