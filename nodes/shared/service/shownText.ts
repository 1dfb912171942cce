import { INVISIBLE } from '../spec/values';
import { parseUrl } from '../spec/url';

/** A text from outside as one line that can be shown, of at most `max` characters. */
export function cleanText(text: string, max = Infinity): string {
	// Cut before as well, so as not to clean megabytes that are not shown.
	const start = text.slice(0, max * 4).replace(INVISIBLE, ' ');
	const line = start.replace(/\s+/g, ' ').trim();
	if (line.length <= max) return line;
	return `${[...line.slice(0, max * 2)].slice(0, max).join('')}…`;
}

/** Sentences after one another, without those that are empty. */
export const sentences = (...texts: ReadonlyArray<string | undefined>): string =>
	texts.filter(Boolean).join(' ');

/**
 * An address as an error may show it: without user info, query and fragment, which can hold a
 * password or a signature.
 *
 * @param text an address, or what was given for one
 */
export function shownAddress(text: string): string {
	if (!/@|%40/.test(text)) return text.split(/[?#]/, 1).join('');
	const url = parseUrl(text);
	// A text without a host may have a password anywhere.
	return url?.host ? `${url.protocol}//${url.host}${url.pathname}` : HIDDEN;
}

/** A shorter secret is an ordinary word (key `test`): hiding it would change prompts and identifiers. */
const LEAST_SECRET = 6;

const HIDDEN = '***';

/** Stands in every address that n8n gives a file, before the token that opens it. */
export const SIGNED = '/binary-data/signed?token=';

/** The same, also percent-encoded, and the token. */
const TOKEN = /(\/binary-data\/signed\?token=|%2Fbinary-data%2Fsigned%3Ftoken%3D)[\w.%-]*/gi;

/**
 * The text without the secrets, as they are, percent-encoded and in base64, and without the tokens that open n8n's
 * files, which other executions may have sent.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
	const forms = secrets.filter(({ length }) => length >= LEAST_SECRET).flatMap(formsOf);
	const rest = forms.reduce((before, form) => before.replaceAll(form, HIDDEN), text);
	return rest.replace(TOKEN, `$1${HIDDEN}`);
}

const formsOf = (secret: string): string[] => [
	secret,
	encodeURIComponent(secret),
	Buffer.from(secret).toString('base64'),
];
