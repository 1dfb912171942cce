import { authenticate, baseUrlOf, secretsOf } from '../../../nodes/shared/service/credential.ts';

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

describe('a path relative to the base URL, as the credential test has it', () => {
	test.each([
		['https://api.example.com/', '/payments/api/credits/'],
		['https://api.example.com', 'payments/api/credits/'],
		['https://api.example.com \n', '/payments/api/credits/'],
		[' https://api.example.com/\u200b', '/payments/api/credits/'],
		['HTTPS://API.Example.COM:443//', '/payments/api/credits/'],
	])('%j and %j', (baseURL, url) => {
		const sent = authenticate({ ...credential, baseUrl: baseURL }, { url, baseURL });
		expect(sent).toMatchObject({
			url: 'https://api.example.com/payments/api/credits/',
			headers: { Authorization: 'Bearer secret' },
		});
		expect(sent).not.toHaveProperty('baseURL');
	});

	test('stays behind the path of the base URL', () => {
		const baseURL = 'https://api.example.com/v2/';
		const sent = authenticate({ ...credential, baseUrl: baseURL }, { url: '/credits/', baseURL });
		expect(sent.url).toBe('https://api.example.com/v2/credits/');
	});

	test.each([
		['https://api.example.com.evil.example', '/x'],
		['https://api.example.com@evil.example', '/x'],
		['https://evil.example', '/https://api.example.com/'],
		['https://api.example.com', 'https://evil.example/x'],
		['https://api.example.com', '//evil.example/x'],
	])('does not lead elsewhere: %s and %s', (baseURL, url) => {
		expect(() => authenticate(credential, { url, baseURL })).toThrow('sent to the Base URL');
	});
});

/** n8n's older helper, which its HTTP Request node uses, names the address `uri`. */
describe('a request with uri', () => {
	const ask = (uri: string, more: object = {}) =>
		authenticate(credential, { uri, ...more } as never);

	test.each([
		'https://api.example.com/api/profile/',
		'https://API.EXAMPLE.com:443/api/profile/',
		'https://api.example.com/v2/../api/profile/',
	])('to the origin of the base URL has the key: %s', (uri) => {
		expect(ask(uri)).toEqual({
			url: 'https://api.example.com/api/profile/',
			disableFollowRedirect: true,
			maxRedirects: 0,
			headers: { Authorization: 'Bearer secret' },
		});
	});

	test.each([
		'https://evil.example/api/profile/',
		'https://api.example.com@evil.example/',
		'//evil.example/x',
		'/api/profile/',
		'',
	])('elsewhere has none: %j', (uri) => {
		expect(() => ask(uri)).toThrow('sent to the Base URL');
	});

	test('and url goes where both were checked to go', () => {
		const url = 'https://api.example.com/a';
		expect(ask('https://evil.example/', { url })).not.toHaveProperty('uri');
		expect(() => ask(url, { url: 'https://evil.example/' })).toThrow('sent to the Base URL');
	});

	test('is not redirected, whatever it asks for', () => {
		const following = { maxRedirects: 21, followRedirect: true, followAllRedirects: true };
		expect(ask('https://api.example.com/', following)).toMatchObject({ maxRedirects: 0 });
	});
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

describe('invisible characters that were copied with it', () => {
	test.each([
		['a zero-width space at the end', 'mg_0123456789\u200b'],
		['a zero-width joiner inside', 'mg_01234\u200d56789'],
		['a word joiner at the start', '\u2060mg_0123456789'],
		['a soft hyphen', 'mg_01234\u00ad56789'],
		['a byte order mark', '\ufeffmg_0123456789'],
		['a variation selector', 'mg_0123456789\ufe0f'],
		['a Hangul filler', 'mg_0123456789\u3164'],
		['a line break, as of a wrapped mail', 'mg_01234\r\n56789'],
		['a line separator and a tab', '\tmg_01234\u202856789\u0000'],
	])('do not belong to a key: %s', (_, apiKey) => {
		expect(authenticate({ ...credential, apiKey }, request).headers).toEqual({
			Authorization: 'Bearer mg_0123456789',
		});
	});

	test('nor to what creates a key', () => {
		const create = { url: 'https://api.example.com/api/api-keys/', method: 'POST' as const };
		const session = { sessionToken: 's\u200b1\n', csrfToken: 'c\u2060\r\n1' };
		expect(authenticate({ ...credential, ...session }, create).headers).toEqual({
			Cookie: 'sessionid=s1',
			'X-CSRFToken': 'c1',
		});
		expect(authenticate({ ...credential, authToken: '\ufefft1' }, create).headers).toEqual({
			Authorization: 'Token t1',
		});
	});

	test.each([
		['https://api.example.com/\u200b', 'https://api.example.com'],
		['https://api.exam\r\nple.com/v\u20602', 'https://api.example.com/v2'],
	])('nor to a base URL: %j', (baseUrl, expected) => {
		expect(baseUrlOf({ baseUrl })).toBe(expected);
	});
});

test.each(['mg_0123\u04424567', 'mg_0123\u20034567', 'mg_0123\u{1f511}4567'])(
	'a key that no header can carry is refused, and not told: %j',
	(apiKey) => {
		expect(() => authenticate({ ...credential, apiKey }, request)).toThrow(
			expect.objectContaining({
				message: 'The API Key has a character that cannot be sent in a header',
				outcome: 'notSent',
			}),
		);
	},
);

/** They would be sent beside the key, or stand before the paths of the API. */
describe('a base URL', () => {
	test.each([
		['https://svc:S3cret@api.example.com/v2', 'https://api.example.com/v2'],
		['https://S3cret@api.example.com', 'https://api.example.com/'],
		['https://api.example.com/?token=S3cret', 'https://api.example.com/'],
		['https://api.example.com/#/S3cret', 'https://api.example.com/'],
		['https://svc:S3cret@api.example.com?a#S3cret', 'https://api.example.com/'],
	])('with more than an address is refused: %s', (baseUrl, shown) => {
		const refused = expect.objectContaining({
			message: expect.stringMatching(new RegExp(`; enter the address alone: ${shown}$`)),
			description: expect.stringContaining('Nothing was sent.'),
			outcome: 'notSent',
		});
		expect(() => baseUrlOf({ baseUrl })).toThrow(refused);
		expect(() => authenticate({ ...credential, baseUrl }, request)).toThrow(refused);
	});

	test.each([
		'http://svc:S3cret@api.example.com',
		'ftp://svc:S3cret@api.example.com',
		'svc:S3cret@api.example.com',
		'https://svc:S3cret/x@api.example.com',
		'https://svc:S3cret@api example.com',
		'https://api example.com/?S3cret',
		'//svc:S3cret@api.example.com#@',
		'https://svc:S3cret%40api.example.com',
	])('is never shown with a password: %s', (baseUrl) => {
		expect(() => baseUrlOf({ baseUrl })).toThrow(/^The Base URL (?!.*S3cret)/);
	});
});

const KEY = 'mg_4f0c1a7e9b2d4c55';

test.each([KEY, `http://api.example.com/${KEY}`, `https://api.example.com/${KEY}?x`])(
	'a key that was entered as Base URL is not shown: %s',
	(baseUrl) => {
		expect(() => baseUrlOf({ baseUrl, apiKey: KEY })).toThrow(/^The Base URL (?!.*9b2d)/);
	},
);

test.each([[KEY], ['bXlfa2V5X29mX21pbmU=='], [`Bearer ${KEY}`, KEY], [`sessionid=${KEY}`, KEY]])(
	'the secrets in %j',
	(apiKey, own = apiKey) => {
		expect(secretsOf({ apiKey })).toEqual(expect.arrayContaining([apiKey, own]));
	},
);

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
