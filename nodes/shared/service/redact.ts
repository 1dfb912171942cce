/** A secret so long stands nowhere by chance; it goes wherever it is. */
const LONG = 16;

/** What a secret is announced by: the header, the field or the sentence that has it. */
const ANNOUNCED = /authori[sz]ation|bearer|token|key|session|csrf|cookie|secret|credential/i;

/** Characters before a secret that may announce it. */
const BEFORE = 40;

const HIDDEN = '***';

/**
 * The text without the secrets. A short one may be an ordinary word (key `test`), and to cut it out
 * everywhere would change prompts and identifiers, on which money depends. It goes where a service
 * would say a key back: as a whole word, behind what announces it (`Authorization: Bearer test`,
 * `"api_key":"test"`, `Invalid key: test`). Elsewhere the word tells nobody that it is a key.
 *
 * @param text JSON or any other; escapes in it that JSON does without are resolved, since they hide
 *   a secret until the JSON is read
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
	return secrets.reduce(
		(rest, secret) =>
			secret.length >= LONG ? rest.split(secret).join(HIDDEN) : withoutWord(rest, secret),
		resolved(text),
	);
}

/** The same of a text that was cut, perhaps within a secret. */
export function withoutCutSecrets(text: string, secrets: readonly string[]): string {
	const rest = withoutSecrets(text, secrets).replace(CUT_ESCAPE, '');
	const starts = secrets
		.filter(({ length }) => length >= LONG)
		.map((each) => startAtEnd(rest, each));
	const longest = Math.max(0, ...starts);
	return longest === 0 ? rest : `${rest.slice(0, -longest)}${HIDDEN}`;
}

/** Less than this of a secret is of no use, and may be there by chance. */
const LEAST_START = 8;

/** How many characters at the end of the text are the start of the secret. */
function startAtEnd(text: string, secret: string): number {
	for (let length = secret.length - 1; length >= LEAST_START; length--) {
		if (text.endsWith(secret.slice(0, length))) return length;
	}
	return 0;
}

const CUT_ESCAPE = /\\(?:u[\da-f]{0,3})?$/i;

/** The JSON text with the same value whose characters stand for themselves wherever they may. */
function resolved(text: string): string {
	if (!text.includes('\\u') && !text.includes('\\/')) return text;
	const parts: string[] = [];
	let done = 0;
	let at = text.indexOf('\\');
	while (at >= 0) {
		const escape = text.slice(at, at + (text[at + 1] === 'u' ? ESCAPE_LENGTH : 2));
		const plain = PLAIN.get(escape);
		if (plain !== undefined) {
			parts.push(text.slice(done, at), plain);
			done = at + escape.length;
		}
		// Behind an escaped backslash, too: it does not begin another escape.
		at = text.indexOf('\\', plain === undefined ? at + 2 : done);
	}
	return [...parts, text.slice(done)].join('');
}

const ESCAPE_LENGTH = '\\u0000'.length;

/** Characters that headers, and so secrets, can have. */
const FIRST = 0x20;
const LAST = 0xff;

/** By escape; within the quotes of JSON, two of the characters have to be escaped all the same. */
const PLAIN: ReadonlyMap<string, string> = new Map([
	['\\/', '/'],
	...Array.from({ length: LAST + 1 - FIRST }, (_, index) => FIRST + index).flatMap(
		(code): Array<[string, string]> => {
			const character = JSON.stringify(String.fromCharCode(code)).slice(1, -1);
			return waysToWrite(code).map((escape) => [escape, character]);
		},
	),
]);

function waysToWrite(code: number): string[] {
	const [high = '', low = ''] = code.toString(16);
	return [high, high.toUpperCase()].flatMap((one) =>
		[low, low.toUpperCase()].map((other) => `\\u00${one}${other}`),
	);
}

function withoutWord(text: string, word: string): string {
	const parts = text.split(word);
	const cleaned = parts.slice(0, 1);
	let before = parts[0] ?? '';
	for (const part of parts.slice(1)) {
		const isHidden =
			!ENDS_IN_WORD.test(before.slice(-1)) &&
			!ENDS_IN_WORD.test(part.slice(0, 1)) &&
			ANNOUNCED.test(before.slice(-BEFORE));
		cleaned.push(isHidden ? HIDDEN : word, part);
		// Enough of the text as it was: what announces may be behind a secret that stays.
		before = `${before.slice(-BEFORE)}${word}${part}`;
	}
	return cleaned.join('');
}

const ENDS_IN_WORD = /[\p{L}\p{N}_]$/u;
