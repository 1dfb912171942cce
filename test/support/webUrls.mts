import fc from 'fast-check';

const PLAIN = [
	...'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
	..."-._~!$&'()*+,;=:@",
];

/** Any character, encoded, except a lone surrogate. */
const encoded = fc
	.oneof(fc.integer({ min: 0, max: 0xd7ff }), fc.integer({ min: 0xe000, max: 0x10ffff }))
	.map((code) => encodeURIComponent(String.fromCodePoint(code)));

const characters = (more: readonly string[] = []) =>
	fc
		.array(
			fc.oneof(
				{ weight: 10, arbitrary: fc.constantFrom(...PLAIN, ...more) },
				{ weight: 1, arbitrary: encoded },
			),
		)
		.map((parts) => parts.join(''));

/**
 * URLs of the web, like those of `webUrl` of fast-check, which first makes a table of all characters: that
 * takes more time than most tests.
 */
export function webUrls({ withQueryParameters = false } = {}): fc.Arbitrary<string> {
	const path = fc.array(characters()).map((segments) => segments.map((one) => `/${one}`).join(''));
	const query = withQueryParameters
		? fc.option(
				characters(['/', '?']).map((text) => `?${text}`),
				{ nil: '' },
			)
		: fc.constant('');
	return fc
		.tuple(fc.constantFrom('http', 'https'), fc.domain(), path, query)
		.map(([scheme, domain, ...rest]) => `${scheme}://${domain}${rest.join('')}`);
}
