import {
	BEFORE_TLS,
	CONNECTION_TEXTS,
	notConnectedText,
	type ErrorText,
} from '../../../../nodes/shared/service/errorTexts.ts';
import { NOT_THE_SERVICE, OWN_TEXTS } from '../../../../nodes/shared/service/credential.ts';
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
		'The node checks the credential before it sends anything. When you save a credential, n8n tests it by reading the credit balance, which is free.',
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
			message: 'The Base URL has <parts>; enter the address alone: <address>',
			means:
				'It has a user name or password, a query (`?…`) or a fragment (`#…`), often because it was copied from the address bar of a browser.',
			advice: 'Enter the address only, such as `https://api.example.com`.',
		},
		{
			message:
				'The Base URL <address> is plain http: the key would be readable on the way. Use https, or turn on Allow Plain HTTP under More Settings',
			means:
				'Without https, anyone between n8n and the service could read the key. The only exception is a service on the machine that n8n runs on.',
			advice:
				'Change `http://` to `https://`. Turn on _Allow Plain HTTP_ only in a network of your own.',
		},
		{
			message: 'The MediaGen API key is sent to the Base URL of its credential only',
			means:
				'Something used the credential for an address with another host or port, such as an HTTP Request node.',
			advice:
				'Use the credential for requests to the Base URL only. Redirects are not followed with it.',
		},
		{
			message: 'The <setting> has a character that cannot be sent in a header (U+<number>)',
			means:
				'The key, or another secret of the credential, was copied with a letter or sign that does not belong to it, such as a Cyrillic letter in place of a Latin one. Line breaks and invisible characters are left out by themselves.',
			advice:
				'Copy it from the dashboard of the service again. The character is given by its Unicode number.',
		},
		tested(
			400,
			'From the test of the credential: the server at the Base URL did not understand the request.',
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
		connection('ENOTFOUND', 'The n8n server cannot find a machine with this name.'),
		connection('EAI_AGAIN', "The DNS server that n8n's machine uses did not answer."),
		connection('ENETUNREACH', 'The n8n server has no route to the service.'),
		entryOf(NO_HTTPS, { means: 'The Base URL says https, but that port answers with plain http.' }),
		entryOf(CLOSED, {
			means:
				'The service, or a proxy in front of it, closed the connection while encryption was being set up.',
		}),
		connection('CERT_HAS_EXPIRED', 'The service cannot prove who it is any more.'),
		connection('CERT_NOT_YET_VALID', 'Most often, the clock of the n8n server is wrong.'),
		connection(
			'DEPTH_ZERO_SELF_SIGNED_CERT',
			'The certificate was not signed by an authority that the n8n server trusts.',
		),
		connection(
			'ERR_TLS_CERT_ALTNAME_INVALID',
			'The server that answers has a certificate for another name.',
		),
		connection('CERT_REVOKED', 'The certificate is damaged, revoked or not meant for servers.', {
			advice:
				'Check the Base URL of the credential. The service has to replace the certificate. The description ends with the code of the fault.',
		}),
		entryOf(notConnectedText('<code>'), {
			means:
				'The connection failed before anything was sent, for a reason that has no message of its own.',
			advice:
				'Check the network of the n8n server, then the Base URL of the credential. The description ends with the code of the fault.',
		}),
	],
};
