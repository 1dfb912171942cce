import { authenticate, baseUrlOf } from '../../../nodes/shared/service/credential.ts';

const credential = {
	baseUrl: 'https://api.example.com/',
	apiKey: ' secret ',
	headerForm: 'bearer',
};
const request = { url: 'https://api.example.com/api/v1/generate/' };

test.each([
	['bearer', 'Bearer secret'],
	['token', 'Token secret'],
	['key', 'secret'],
	['', 'Bearer secret'],
])('header form %s', (headerForm, expected) => {
	expect(authenticate({ ...credential, headerForm }, request)).toMatchObject({
		headers: { Authorization: expected },
		disableFollowRedirect: true,
	});
});

test.each([
	'https://api.example.com.evil.example/',
	'https://api.example.com:8443/',
	'http://api.example.com/',
	'https://api.example.com@evil.example/',
	'not a url',
])('the key does not go to %s', (url) => {
	expect(() => authenticate(credential, { url })).toThrow('sent to the Base URL');
});

test('a path relative to the base URL, as the credential test has it', () => {
	const relative = { url: '/payments/api/credits/', baseURL: 'https://api.example.com/' };
	expect(authenticate(credential, relative).headers).toEqual({ Authorization: 'Bearer secret' });
});

test('an empty key is not sent', () => {
	expect(() => authenticate({ ...credential, apiKey: ' ' }, request)).toThrow('key is empty');
});

test.each([
	['https://api.example.com/', 'https://api.example.com'],
	[' https://api.example.com/v2// ', 'https://api.example.com/v2'],
	['http://127.0.0.1:8080', 'http://127.0.0.1:8080'],
	['http://localhost:8080', 'http://localhost:8080'],
	['http://[::1]:8080', 'http://[::1]:8080'],
])('base URL %j', (baseUrl, expected) => {
	expect(baseUrlOf({ baseUrl })).toBe(expected);
});

test.each(['', 'api.example.com', 'ftp://x', 'file:///etc'])('%j is no base URL', (baseUrl) => {
	expect(() => baseUrlOf({ baseUrl })).toThrow('is not an http(s) address');
});

test('plain http over a network only where the user allows it', () => {
	const baseUrl = 'http://10.0.0.1';
	expect(() => baseUrlOf({ baseUrl })).toThrow('plain http');
	expect(baseUrlOf({ baseUrl, allowHttp: true })).toBe(baseUrl);
});

/** Section "Authentication", items 2 and 3. */
describe('the creation of an API key', () => {
	const create = { url: 'https://api.example.com/api/api-keys/', method: 'POST' as const };
	const session = { sessionToken: 's1', csrfToken: 'c1' };

	test('with a browser session: its cookie and its CSRF token, and no key', () => {
		const all = { ...credential, ...session, authToken: 't1' };
		expect(authenticate(all, create)).toMatchObject({ disableFollowRedirect: true });
		expect(authenticate(all, create).headers).toEqual({
			Cookie: 'sessionid=s1',
			'X-CSRFToken': 'c1',
		});
	});

	test.each<Record<string, string>>([{}, { sessionToken: 's1' }, { csrfToken: 'c1' }])(
		'without a whole session (%j): the legacy auth token',
		(part) => {
			expect(authenticate({ ...credential, ...part, authToken: 't1' }, create).headers).toEqual({
				Authorization: 'Token t1',
			});
		},
	);

	test('with a session and no API key', () => {
		const headers = authenticate({ ...credential, ...session, apiKey: '' }, create).headers;
		expect(headers).toMatchObject({ Cookie: 'sessionid=s1' });
	});

	test('with neither, an error that says what to enter', () => {
		expect(() => authenticate(credential, create)).toThrow(
			expect.objectContaining({
				message: expect.stringContaining('the credential has neither'),
				description: expect.stringContaining('Enter Session ID and CSRF Token, both of them'),
				outcome: 'notSent',
			}),
		);
	});

	test.each(['a; csrftoken=b', 'a b', 'a\r\nX: y', 'a,b', '"a"'])(
		'a session ID %j cannot bring anything along',
		(sessionToken) => {
			expect(() => authenticate({ ...credential, ...session, sessionToken }, create)).toThrow(
				'Session ID has characters',
			);
		},
	);

	test('goes to the base URL only, its path included', () => {
		const all = { ...credential, ...session };
		const elsewhere = { ...create, url: 'https://evil.example/api/api-keys/' };
		expect(() => authenticate(all, elsewhere)).toThrow('sent to the Base URL');
		const below = { ...all, baseUrl: 'https://api.example.com/v2/' };
		expect(authenticate(below, create).headers).toEqual({ Authorization: 'Bearer secret' });
		const own = { ...create, url: 'https://api.example.com/v2/api/api-keys/' };
		expect(authenticate(below, own).headers).toMatchObject({ Cookie: 'sessionid=s1' });
	});

	test.each([
		{ ...create, method: 'GET' as const },
		{ ...create, url: 'https://api.example.com/api/profile/' },
		{ ...create, url: 'https://api.example.com/api/api-keys/x/' },
		{ ...create, url: 'https://api.example.com/api/v1/generate/' },
	])('session and token go with no other request: $method $url', (other) => {
		const all = { ...credential, ...session, authToken: 't1' };
		expect(authenticate(all, other).headers).toEqual({ Authorization: 'Bearer secret' });
	});
});

test.each(['/api/login/', '/api/register/'])('%s is asked for without a key', (path) => {
	const signingIn = { url: `https://api.example.com${path}`, method: 'POST' as const };
	expect(authenticate({ ...credential, apiKey: '' }, signingIn).headers).toEqual({});
	expect(authenticate(credential, signingIn).headers).toEqual({});
});
