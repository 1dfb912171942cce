import { trimEnd } from './shownText';

/** A secret of this length occurs nowhere by chance, so that it is hidden wherever it is. */
const LONG = 16;

/** Words that announce a secret, in the header, the field or the sentence that has it. */
const ANNOUNCED =
	/authori[sz]ation|bearer|token|key|session|csrf|cookie|secret|credential|passw|passphrase|pwd/i;

/** How many characters before a secret may have such a word. */
const BEFORE = 40;

const HIDDEN = '***';

/**
 * The text without the secrets, however each character of them is escaped, and without the base64 and the hex of
 * long ones. A short one may be an ordinary word (key `test`), and hiding it everywhere would change
 * prompts and identifiers, on which money depends. It is hidden where a service would repeat a key: as a
 * whole word, after a word that announces it (`Authorization: Bearer test`, `"api_key":"test"`,
 * `Invalid key: test`). Elsewhere nobody can tell that the word is a key.
 *
 * An answer may be megabytes of escapes, so that only regular expressions look at each of them.
 */
export function withoutSecrets(text: string, secrets: readonly string[]): string {
	const forms = new Set(secrets.flatMap(formsOf).filter(Boolean));
	const mayBeEscaped = ESCAPES.test(text);
	const mayBeThere = (form: string) => mayBeEscaped || text.includes(form);
	return [...forms].filter(mayBeThere).reduce(withoutForm, text);
}

/** What an escape begins with. Most texts have none: then the patterns, which take long to compile, are not needed. */
const ESCAPES = /[\\%&]/;

function withoutForm(text: string, form: string): string {
	const [first, ...rest] = patternsOf(form);
	const parts: string[] = [];
	let done = 0;
	let at = 0;
	for (let found = nextOf(first, text, at); found; found = nextOf(first, text, at)) {
		const start = Math.max(done, withEscape(text, found.index));
		const end = endOf(rest, text, found.index + found[0].length);
		at = found.index + 1;
		if (end === undefined || !(isLong(form) || isAnnouncedWord(text, start, end))) continue;
		parts.push(text.slice(done, start), HIDDEN);
		at = done = end;
	}
	return [...parts, text.slice(done)].join('');
}

type Patterns = readonly [first: RegExp, ...rest: RegExp[]];

/** How many characters one pattern is for: the time to compile grows faster than the pattern. */
const IN_PATTERN = 64;

/** How many results a `keeping` function keeps: making one takes longer than searching most answers. */
const KEPT = 100;

function keeping<T>(make: (text: string) => T): (text: string) => T {
	const kept = new Map<string, T>();
	return (text) => {
		const known = kept.get(text);
		if (known !== undefined) return known;
		if (kept.size >= KEPT) kept.clear();
		const made = make(text);
		kept.set(text, made);
		return made;
	};
}

const patternsOf = keeping((form): Patterns => {
	const characters = written(form);
	const first = characters.splice(0, IN_PATTERN).join('');
	const rest: string[] = [];
	while (characters.length > 0) rest.push(characters.splice(0, IN_PATTERN).join(''));
	return [new RegExp(first, 'g'), ...rest.map((one) => new RegExp(one, 'y'))];
});

function nextOf(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
	pattern.lastIndex = at;
	return pattern.exec(text);
}

/** Where the last pattern ends, if all follow one another from `at`; `undefined` if they do not. */
function endOf(patterns: readonly RegExp[], text: string, at: number): number | undefined {
	let end = at;
	for (const pattern of patterns) {
		const found = nextOf(pattern, text, end);
		if (!found) return undefined;
		end += found[0].length;
	}
	return end;
}

/** Stands in every address that n8n gives a file, before the token that opens it. */
export const SIGNED = '/binary-data/signed?token=';

/** The text without the tokens that open n8n's files, including those that another execution has sent. */
export const withoutTokens = (text: string): string => text.replace(TOKEN, `$1${HIDDEN}`);

/** As `withoutSecrets`, for a text that was cut, perhaps within a secret. */
export function withoutCutSecrets(text: string, secrets: readonly string[]): string {
	const rest = withoutCutEscape(withoutSecrets(text, secrets));
	return secrets.filter(isLong).reduce(withoutStart, rest);
}

/** Fewer characters of a secret are of no use, and may be there by chance. */
const LEAST_START = 8;

/** The text without the start of the secret at its end. Not made to be fast: a text that was cut is short. */
function withoutStart(text: string, secret: string): string {
	const characters = written(secret);
	const first = new RegExp(characters.slice(0, LEAST_START).join(''), 'g');
	const rest = characters.slice(LEAST_START).map((one) => new RegExp(one, 'y'));
	for (const { index, 0: found } of text.matchAll(first)) {
		let end = index + found.length;
		for (const one of rest) {
			const next = nextOf(one, text, end);
			if (!next) break;
			end += next[0].length;
		}
		if (end === text.length) return `${text.slice(0, withEscape(text, index))}${HIDDEN}`;
	}
	return text;
}

export const isLong = (secret: string): boolean => secret.length >= LONG;

/** A secret as it is, as JSON escapes it and as its UTF-8 bytes; a long one in base64 and in hex, too. */
const formsOf = keeping((secret): readonly string[] => {
	const texts = [
		secret,
		JSON.stringify(secret).slice(1, -1),
		Buffer.from(secret).toString('latin1'),
	];
	if (!isLong(secret)) return texts;
	const hex = Buffer.from(secret).toString('hex');
	return [...texts, ...base64Of(secret), hex, hex.toUpperCase()];
});

/** With 0, 1 or 2 bytes before the secret: how many characters of the base64 depend on those bytes, too. */
const SHARED = [0, 2, 3];

/** What is in the base64 of every text that contains the secret; in the alphabet for addresses, too. */
function base64Of(secret: string): string[] {
	return SHARED.flatMap((shared, before) => {
		const whole = Buffer.from(' '.repeat(before) + secret).toString('base64');
		const own = trimEnd(whole, '=').slice(shared, -1);
		return [own, own.replaceAll('+', '-').replaceAll('/', '_')];
	});
}

function isAnnouncedWord(text: string, at: number, end: number): boolean {
	return (
		!IN_WORD.test(text.slice(Math.max(0, at - 1), at)) &&
		!IN_WORD.test(text.slice(end, end + 1)) &&
		ANNOUNCED.test(text.slice(Math.max(0, at - BEFORE), at))
	);
}

const IN_WORD = /[\p{L}\p{N}_]/u;

const NAMED: Readonly<Record<string, string>> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": 'apos',
};

/** Characters that JSON may have a backslash before. */
const QUOTED = '"\\/';

/** The highest codes whose escapes are looked for: with two digits in hex, or three in decimal. */
const MOST_HEX = 0xff;
const MOST_DECIMAL = 999;

/**
 * For each character of a text, a pattern that finds it as it is or escaped: in an address (`%2B`, or
 * encoded again: `%252B`), in JSON (`\u002b`, `\/`, within JSON in JSON `\\\/`) or in HTML (`&#43;`, `&#x2b;`,
 * `&amp;`). The first allows only one backslash, so that a long run is not tried anew at each (see `withEscape`).
 */
export function written(text: string): string[] {
	return Array.from({ length: text.length }, (_, at) =>
		character(text.charAt(at), String.raw`\\` + (at === 0 ? '' : '+')),
	);
}

/** Without bounds such as `{1,8}`, which take many times as long to compile. */
function character(plain: string, backslashes: string): string {
	const code = plain.charCodeAt(0);
	const literal = String.raw`\u${code.toString(16).padStart(4, '0')}`;
	const hex = code <= MOST_HEX && anyCase(code.toString(16).padStart(2, '0'));
	const ways = [
		hex && `%(?:25)*${hex}`,
		hex && `${backslashes}[uU]00${hex}`,
		QUOTED.includes(plain) && `${backslashes}${literal}`,
		hex && `&#[xX]0*${hex};`,
		code <= MOST_DECIMAL && `&#0*${code};`,
		NAMED[plain] && `&${anyCase(NAMED[plain])};`,
		literal,
	];
	return `(?:${ways.filter(Boolean).join('|')})`;
}

const anyCase = (text: string) =>
	text.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);

/** Where a match begins: if its first character is a backslash, at the first of those in a row before it. */
function withEscape(text: string, at: number): number {
	let start = at;
	if (text[at] === '\\') while (text[start - 1] === '\\') start -= 1;
	return start;
}

const CUT_ESCAPE = /(?:%(?:25){0,3}[\da-f]?|\\{1,8}(?:u[\da-f]{0,3})?|&(?:#x?[\da-f]{0,6})?)$/i;

/** A text that was cut, without the part of an escape that it ends with. */
const withoutCutEscape = (text: string): string => text.replace(CUT_ESCAPE, '');

/** A character of a token as JSON or HTML escapes it; a token has fewer than a thousand of these. */
const ESCAPED = String.raw`(?:\\+[uU]00[\da-fA-F]{2}|&#\w+;)`;
const OF_TOKEN = String.raw`[\w.%-]*(?:${ESCAPED}[\w.%-]*){0,1000}`;

const TOKEN = new RegExp(`(${written(SIGNED).join('')})${OF_TOKEN}`, 'g');
