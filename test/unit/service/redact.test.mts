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
			'"https://a/***"',
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

describe('of a text that was cut', () => {
	test.each([8, 12, LONG.length - 1])('the first %i characters of a secret go', (length) => {
		const text = `{"error":"bad key","authorization":"Bearer ${LONG.slice(0, length)}`;
		expect(withoutCutSecrets(text, ['other', LONG])).toBe(
			'{"error":"bad key","authorization":"Bearer ***',
		);
	});

	test.each(['\\', '\\u', '\\u00', '\\u003'])('before half an escape, too: %s', (rest) => {
		expect(withoutCutSecrets(`"${LONG.slice(0, 12)}${rest}`, [LONG])).toBe('"***');
	});

	test('whole secrets go, and what is no secret stays', () => {
		expect(withoutCutSecrets(`${LONG} and more`, [LONG])).toBe('*** and more');
		expect(withoutCutSecrets('"prompt":"mg_4f0c', [LONG])).toBe('"prompt":"mg_4f0c');
		expect(withoutCutSecrets('"prompt":"contes', ['contest'])).toBe('"prompt":"contes');
	});
});
