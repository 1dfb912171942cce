import { withoutCutSecrets, withoutSecrets } from '../../../nodes/shared/service/redact.ts';

const LONG = 'mg_4f0c1a7e9b2d4c55';

test.each([
	`Bad key ${LONG}!`,
	`{"prompt":"x${LONG}x"}`,
	`${LONG}${LONG}`,
	`https://a.example/?q=${LONG}`,
])('a long secret goes from %s', (text) => {
	expect(withoutSecrets(text, [LONG])).not.toContain(LONG);
});

test.each([
	'Authorization: Bearer test',
	'{"headers":{"authorization":"Token test"}}',
	'{"error":"Invalid key: test","api_key": "test"}',
	'{"error":"Invalid token \\"test\\"."}',
	'Cookie: sessionid=test; a=b',
	'X-CSRFToken: test',
	'key "test" and key "test"',
])('a short one goes from %s', (text) => {
	expect(withoutSecrets(text, ['test'])).toBe(text.replaceAll('test', '***'));
});

test.each([
	'{"prompt":"this is a test","generation_id":"test-1","status":"completed"}',
	'{"prompt":"test","image_url":"https://cdn.example/test/a.png"}',
	'{"key":"a","prompt":"contest and latest"}',
	'{"key_preview":"testing"}',
])('a short one changes nothing of %s', (text) => {
	expect(withoutSecrets(text, ['test'])).toBe(text);
});

describe('escapes of JSON', () => {
	const KEY = 'mg_a+b<c>"d\\e/f=0123456789';

	const escapedAs = (text: string, format: (hex: string) => string) =>
		Array.from({ length: text.length }, (_, at) =>
			format(text.charCodeAt(at).toString(16).padStart(4, '0')),
		).join('');

	const lower = (hex: string) => `\\u${hex}`;

	test.each<[string, (hex: string) => string]>([
		['lower case', lower],
		['upper case', (hex) => `\\u${hex.toUpperCase()}`],
	])('do not hide a secret: %s', (_, format) => {
		const written = escapedAs(KEY, format);
		const text = `{"error":"Key ${written} is wrong","${written}":["${written}"]}`;
		const secrets = [KEY, JSON.stringify(KEY).slice(1, -1)];
		expect(JSON.parse(withoutSecrets(text, secrets))).toEqual({
			error: 'Key *** is wrong',
			'***': ['***'],
		});
	});

	test('nor do some of them, or a short one', () => {
		expect(withoutSecrets('{"a":"mg_4f0c1a\\u0037e9b2d4c55"}', [LONG])).toBe('{"a":"***"}');
		expect(withoutSecrets('"https:\\/\\/a\\/mg_4f0c1a7e\\/b2d4c55"', ['mg_4f0c1a7e/b2d4c55'])).toBe(
			'"https:\\/\\/a\\/***"',
		);
		expect(withoutSecrets('Bearer \\u0074est', ['test'])).toBe('Bearer ***');
	});

	test.each([
		'a\\b/c"d\n\t\u0000\u001f\u007f\u2028\ud83d\ude00é',
		'C:\\users\\u0041 and \\\\u0041',
		'\ud83d alone, \\',
		'\\"',
	])('the value stays: %j', (value) => {
		const plain = JSON.stringify({ [value]: value });
		const written = escapedAs(value, lower);
		const escaped = `{"${written}":"${written}"}`;
		for (const text of [plain, escaped, plain.replaceAll('/', '\\/')]) {
			expect(JSON.parse(withoutSecrets(text, [LONG]))).toEqual({ [value]: value });
		}
	});
});

/** As an address, a form, a page, a log or another JSON text would write a key back. */
describe('other ways to write a secret', () => {
	const KEY = 'mg_a+b<c>"d\\e/f=0123456789&é';

	const hex = (character: string) => Buffer.from(character).toString('hex').replace(/../g, '%$&');
	const everyPercent = hex(KEY);
	const strictPercent = encodeURIComponent(KEY);
	const html = KEY.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

	test.each([
		['percent-encoded', strictPercent],
		['in lower case', strictPercent.replace(/%../g, (each) => each.toLowerCase())],
		['every character', everyPercent],
		['in part, as a path is', encodeURI(KEY)],
		['twice', encodeURIComponent(strictPercent)],
		['three times', encodeURIComponent(encodeURIComponent(strictPercent))],
		['in JSON', JSON.stringify(KEY).slice(1, -1)],
		['in JSON with escaped slashes', JSON.stringify(KEY).slice(1, -1).replaceAll('/', '\\/')],
		['in JSON within JSON', JSON.stringify(JSON.stringify(KEY)).slice(3, -3)],
		['in HTML', html.replaceAll('>', '&gt;')],
		['in HTML, by numbers', html.replaceAll('>', '&#62;').replaceAll('/', '&#x2F;')],
		['in base64', Buffer.from(KEY).toString('base64')],
		['in hex', Buffer.from(KEY).toString('hex')],
		['in hex, in upper case', Buffer.from(KEY).toString('hex').toUpperCase()],
	])('%s', (_, written) => {
		const text = `Bad key ${written} in https://a.example/?q=${written}&x=1`;
		const left = withoutSecrets(text, [KEY]);
		expect(left).toMatch(/^Bad key \*\*\*.{0,2} in https:\/\/a\.example\/\?q=\*\*\*.{0,2}&x=1$/);
	});

	test.each(['', 'a', 'ab', 'svc:', 'Bearer '])('in the base64 of more, behind %j', (before) => {
		for (const encoding of ['base64', 'base64url'] as const) {
			const written = Buffer.from(`${before}${KEY} and more`).toString(encoding);
			const left = withoutSecrets(`{"a":"${written}"}`, [KEY]);
			const [start = '', end = ''] = left.split('***');
			const known = Buffer.from(start.slice('{"a":"'.length), 'base64').toString('latin1');
			expect(known.slice(before.length).length).toBeLessThan(2);
			expect(end).not.toContain(written.slice(-40, -20));
		}
	});

	test('a short one goes where it is announced', () => {
		expect(withoutSecrets('Invalid key: %74est', ['test'])).toBe('Invalid key: ***');
		expect(withoutSecrets('{"password":"a&lt;b"}', ['a<b'])).toBe('{"password":"***"}');
	});

	test.each([
		'https://cdn.example/a%2Fb%252Fc.png?X-Amz-Signature=%2B%3D&expires=1',
		'{"a":"100%25 &amp; \\"more\\" \\u0041 %4"}',
		'%'.repeat(50) + '\\'.repeat(51) + '&'.repeat(50),
	])('what is no secret stays as it is: %s', (text) => {
		expect(withoutSecrets(text, [KEY, LONG, 'test', ''])).toBe(text);
	});
});

test.each([16, 63, 64, 65, 128, 129, 1000])('a secret of %i characters', (length) => {
	const key = Array.from({ length }, (_, at) => ((at * 7) % 36).toString(36)).join('');
	const escaped = Array.from(key, (character) => `\\u00${character.charCodeAt(0).toString(16)}`);
	expect(withoutSecrets(`a ${key} b ${escaped.join('')} c`, [key])).toBe('a *** b *** c');
	expect(withoutSecrets(`a ${key.slice(0, -1)} b`, [key])).toBe(`a ${key.slice(0, -1)} b`);
	expect(withoutCutSecrets(`${key} ${key.slice(0, -1)}`, [key])).toBe('*** ***');
});

test.each([1, 2, 9, 21])('%i backslashes before it go with it: what is left is JSON', (count) => {
	const written = `${'\\'.repeat(count)}u006d${LONG.slice(1)}`;
	expect(withoutSecrets(`{"a":"${written}"}`, [LONG])).toBe('{"a":"***"}');
});

test.each([
	'%41',
	'%6d',
	'%25',
	'\\u0041',
	'\\u006d',
	'&#x41;',
	'\\',
	'%',
	`%6d${LONG.slice(1, -1)}`,
])('megabytes of %s are looked through at once, not one by one', (unit) => {
	const text = unit.repeat(100_000);
	const exec = jest.spyOn(RegExp.prototype, 'exec');
	const test = jest.spyOn(RegExp.prototype, 'test');
	expect(withoutSecrets(text, [LONG, 'short'])).toBe(text);
	const calls = exec.mock.calls.length + test.mock.calls.length;
	exec.mockRestore();
	test.mockRestore();
	expect(calls).toBeLessThan(100);
});

describe('of a text that was cut', () => {
	test.each([8, 12, LONG.length - 1])('the first %i characters of a secret go', (length) => {
		const text = `{"error":"bad key","authorization":"Bearer ${LONG.slice(0, length)}`;
		expect(withoutCutSecrets(text, ['other', LONG])).toBe(
			'{"error":"bad key","authorization":"Bearer ***',
		);
	});

	test.each(['\\', '\\u', '\\u00', '\\u003', '%', '%3', '%25', '%253', '&', '&#', '&#x3'])(
		'before half an escape, too: %s',
		(rest) => {
			expect(withoutCutSecrets(`"${LONG.slice(0, 12)}${rest}`, [LONG])).toBe('"***');
		},
	);

	test('an escaped start goes, too', () => {
		expect(withoutCutSecrets('"%6dg%5f\\u0034f0c1a7e9', [LONG])).toBe('"***');
	});

	test('whole secrets go, and what is no secret stays', () => {
		expect(withoutCutSecrets(`${LONG} and more`, [LONG])).toBe('*** and more');
		expect(withoutCutSecrets('"prompt":"mg_4f0c', [LONG])).toBe('"prompt":"mg_4f0c');
		expect(withoutCutSecrets('"prompt":"contes', ['contest'])).toBe('"prompt":"contes');
	});
});
