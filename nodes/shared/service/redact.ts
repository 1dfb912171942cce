import { HEADER_FORMS } from '../spec/account';

/** A shorter secret is an ordinary word (key `test`): hiding it would change prompts and identifiers. */
const LEAST_CHARACTERS = 6;

const HIDDEN = '***';

/** Stands in every address that n8n gives a file, before the token that opens it. */
export const SIGNED = '/binary-data/signed?token=';

/** The same with slashes as JSON may write them, or percent-encoded, and the token. */
const TOKEN = /(\/binary-data\\?\/signed\?token=|%2Fbinary-data%2Fsigned%3Ftoken%3D)[\w.%-]*/gi;

/**
 * The text without the secrets, as they are, percent-encoded and in base64, and without the tokens that open n8n's
 * files, which other executions may have sent.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
	return secrets
		.filter(({ length }) => length >= LEAST_CHARACTERS)
		.flatMap(formsOf)
		.reduce((rest, form) => rest.replaceAll(form, HIDDEN), text)
		.replace(TOKEN, `$1${HIDDEN}`);
}

/** How a service may write a secret back; in base64 also as the whole value of the header that it came in. */
function formsOf(secret: string): string[] {
	const inHeaders = HEADER_FORMS.map(({ prefix }) => `${prefix}${secret}`);
	return [
		secret,
		JSON.stringify(secret).slice(1, -1),
		encodeURIComponent(secret),
		...[secret, ...inHeaders].map((each) => Buffer.from(each).toString('base64')),
	];
}
