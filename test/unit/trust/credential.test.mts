import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { CREDENTIAL } from '../../support/product.mts';

/** What n8n sends for whoever uses the credential: a node, its test, or another node such as HTTP Request. */

const SERVICE = 'https://api.example.com';

const KEY = 'mg_0123456789abcdef';

type Request = Partial<IHttpRequestOptions> & { uri?: string };

async function sent(settings: IDataObject, request: Request = { url: `${SERVICE}/x/` }) {
	const authenticate = CREDENTIAL.authenticate as unknown as (
		credential: ICredentialDataDecryptedObject,
		request: Request,
	) => Promise<Request>;
	const credential = { baseUrl: SERVICE, apiKey: KEY, ...settings };
	return await authenticate(credential as ICredentialDataDecryptedObject, request);
}

const refused = async (...given: Parameters<typeof sent>) =>
	await sent(...given).then(
		({ url }) => {
			throw new Error(`sent to ${url}`);
		},
		(error: Error & { description?: string }) => error,
	);

const headersOf = async (...given: Parameters<typeof sent>) => (await sent(...given)).headers;

const BEARER = { Authorization: `Bearer ${KEY}` };

const ELSEWHERE = 'The MediaGen API key is sent to the Base URL of its credential only';

// From the document: "Three header forms are accepted".
test.each([
	['bearer', `Bearer ${KEY}`],
	['token', `Token ${KEY}`],
	['key', KEY],
	['', `Bearer ${KEY}`],
])('the header has the form that the credential says: %j', async (headerForm, Authorization) => {
	expect(await sent({ headerForm })).toEqual({
		url: `${SERVICE}/x/`,
		headers: { Authorization },
		disableFollowRedirect: true,
		maxRedirects: 0,
	});
});

describe('the key goes to the origin of the Base URL, whose paths a request may give alone', () => {
	test.each<[Request, string]>([
		[{ url: `${SERVICE}/a/` }, '/a/'],
		// As the credential's test has it.
		[{ url: '/a/', baseURL: SERVICE }, '/a/'],
		[{ url: '/a/', baseURL: ` ${SERVICE}/\u200b` }, '/a/'],
		[{ url: '/a/', baseURL: 'https://evil.example' }, '/a/'],
		[{ url: '/https://evil.example/', baseURL: 'https://evil.example' }, '/https://evil.example/'],
		[{ uri: '/a/' }, '/a/'],
		// n8n's older helper names the address so.
		[{ uri: `${SERVICE}/a/` }, '/a/'],
		[{ uri: 'https://API.EXAMPLE.com:443/v2/../a/' }, '/a/'],
		[{ uri: 'https://evil.example/', url: `${SERVICE}/a/` }, '/a/'],
	])('%j', async (request, path) => {
		const { url, headers, ...rest } = await sent({}, request);
		expect({ url, headers }).toEqual({ url: `${SERVICE}${path}`, headers: BEARER });
		expect(rest).toEqual({ disableFollowRedirect: true, maxRedirects: 0 });
	});

	test.each<[Request]>([
		[{ url: 'https://cdn.example/a/' }],
		[{ url: 'https://api.example.com.evil.example/' }],
		[{ url: 'https://api.example.com@evil.example/' }],
		[{ url: 'https://api.example.com:8443/' }],
		[{ url: 'http://api.example.com/' }],
		[{ url: 'not a url' }],
		[{ url: 'https://evil.example/x', baseURL: SERVICE }],
		[{ url: '//evil.example/x', baseURL: SERVICE }],
		[{ uri: 'https://evil.example/a/' }],
		[{ uri: '' }],
		[{ uri: `${SERVICE}/a`, url: 'https://evil.example/' }],
		[{ url: 'https://evil.example/api/api-keys/', method: 'POST' }],
	])('and not elsewhere: %j', async (request) => {
		const session = { sessionToken: 's1', csrfToken: 'c1' };
		expect((await refused(session, request)).message).toBe(ELSEWHERE);
	});

	test('without redirects, whatever is asked for', async () => {
		const following = { maxRedirects: 21, followRedirect: true, followAllRedirects: true };
		const request = await sent({}, { uri: `${SERVICE}/`, ...following });
		expect(request).toMatchObject({ maxRedirects: 0, disableFollowRedirect: true });
	});
});

/** They come along when a text is copied. */
describe('invisible characters', () => {
	test.each([
		['a zero-width space at the end', `${KEY}\u200b`],
		['a zero-width joiner inside', 'mg_01234\u200d56789abcdef'],
		['a word joiner at the start', `\u2060${KEY}`],
		['a byte order mark', `\ufeff${KEY}`],
		['a line break, as of a wrapped mail', 'mg_01234\r\n56789abcdef'],
		['spaces around it', ` ${KEY} `],
	])('do not belong to a key: %s', async (_, apiKey) => {
		expect(await headersOf({ apiKey })).toEqual(BEARER);
	});
});

test.each(['mg_0123\u04424567', 'mg_0123\u20034567', 'mg_0123\u{1f511}4567'])(
	'a key that no header can carry is refused, and not told: %j',
	async (apiKey) => {
		const { message } = await refused({ apiKey });
		expect(message).toBe('The API key or a token has a character that cannot be sent in a header');
	},
);

test('an empty key is not sent', async () => {
	expect((await refused({ apiKey: ' ' })).message).toBe('The API key is empty');
});

describe('a Base URL', () => {
	test.each([
		[SERVICE, {}],
		[' https://api.example.com/v2// ', {}],
		['https://api.exam\r\nple.com/v\u20602', {}],
		['http://127.0.0.1:8080', {}],
		['http://localhost:8080', {}],
		['http://[::1]:8080', {}],
		['http://10.0.0.1', { allowHttp: true }],
	])('%j is one', async (baseUrl, more) => {
		const { origin } = new URL(baseUrl.replace(/[\r\n\u2060]/g, ''));
		const request = { url: `${origin}/x/` };
		expect(await headersOf({ baseUrl, ...more }, request)).toEqual(BEARER);
	});

	test.each(['', 'api.example.com', 'ftp://x', 'file:///etc'])('%j is none', async (baseUrl) => {
		expect((await refused({ baseUrl })).message).toContain('is not an http(s) address');
	});

	test('of plain http over a network: only where the user allows it', async () => {
		expect((await refused({ baseUrl: 'http://10.0.0.1' })).message).toContain('plain http');
	});

	/** They would be sent beside the key, or stand before the paths of the API. */
	test.each([
		'https://svc:S3cret@api.example.com/v2',
		'https://S3cret@api.example.com',
		'https://api.example.com/?token=S3cret',
		'https://api.example.com/#/S3cret',
	])('with more than an address is refused: %s', async (baseUrl) => {
		const { message, description } = await refused({ baseUrl });
		expect(message).toMatch(/; enter the address alone$/);
		expect(description).toContain('Nothing was sent.');
	});

	test.each([
		'http://svc:S3cret@api.example.com',
		'svc:S3cret@api.example.com',
		'https://svc:S3cret@api example.com',
		'mg_S3cret',
		'http://api.example.com/S3cret',
	])('is not shown: it may have a password, or be the key: %s', async (baseUrl) => {
		expect((await refused({ baseUrl })).message).toMatch(/^The Base URL (?!.*S3cret)/);
	});
});

/** Section "Authentication", items 2 and 3. */
describe('the creation of an API key', () => {
	const create = { url: `${SERVICE}/api/api-keys/`, method: 'POST' as const };
	const session = { sessionToken: 's1', csrfToken: 'c1' };
	const SESSION = { Cookie: 'sessionid=s1', 'X-CSRFToken': 'c1' };

	test.each<[IDataObject, IDataObject]>([
		[{ ...session, authToken: 't1' }, SESSION],
		[{ ...session, apiKey: '' }, SESSION],
		[{ authToken: 't1' }, { Authorization: 'Token t1' }],
		[{ sessionToken: 's1', authToken: 't1' }, { Authorization: 'Token t1' }],
		[{ csrfToken: 'c1', authToken: 't1' }, { Authorization: 'Token t1' }],
	])(
		'with %j: a whole browser session, or else the legacy token, and no key',
		async (settings, headers) => {
			const request = await sent(settings, create);
			expect(request).toMatchObject({ disableFollowRedirect: true });
			expect(request.headers).toEqual(headers);
		},
	);

	test('with neither, an error that says what to enter', async () => {
		const { message, description } = await refused({}, create);
		expect(message).toContain('the credential has neither');
		expect(description).toContain('Enter Session ID and CSRF Token, both of them');
	});

	test.each<[string, 'GET' | 'POST']>([
		['/api/api-keys/', 'GET'],
		['/api/profile/', 'POST'],
		['/api/api-keys/x/', 'POST'],
		['/api/v1/generate/', 'POST'],
	])('session and token go with no other request: %s, %s', async (path, method) => {
		const request = { url: `${SERVICE}${path}`, method };
		expect(await headersOf({ ...session, authToken: 't1' }, request)).toEqual(BEARER);
	});
});

test.each(['/api/login/', '/api/register/'])('%s is asked for without a key', async (path) => {
	const request = { url: `${SERVICE}${path}`, method: 'POST' as const };
	for (const apiKey of ['', KEY]) expect(await headersOf({ apiKey }, request)).toEqual({});
});
