const NAMED: Readonly<Record<string, string>> = {
	'&': 'amp',
	'<': 'lt',
	'>': 'gt',
	'"': 'quot',
	"'": 'apos',
};

/** Characters that JSON may have a backslash before. */
const QUOTED = '"\\/';

/** The greatest codes that escapes are known of: with two digits in hex, or three in decimal. */
const MOST_HEX = 0xff;
const MOST_DECIMAL = 999;

/**
 * The characters of a text as a regular expression finds them, each as it is or escaped: in an address (`%2B`, or
 * encoded again: `%252B`), in JSON (`\u002b`, `\/`, within JSON in JSON `\\\/`) or in HTML (`&#43;`, `&#x2b;`,
 * `&amp;`). The first is found with one backslash (`withEscape`): a run of them is not tried anew at each.
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

/** Where what was found at an offset begins: with all backslashes before it, where it is escaped by one. */
export function withEscape(text: string, at: number): number {
	let start = at;
	if (text[at] === '\\') while (text[start - 1] === '\\') start -= 1;
	return start;
}

const CUT_ESCAPE = /(?:%(?:25){0,3}[\da-f]?|\\{1,8}(?:u[\da-f]{0,3})?|&(?:#x?[\da-f]{0,6})?)$/i;

/** A text that was cut, without the part of an escape that it ends with. */
export const withoutCutEscape = (text: string): string => text.replace(CUT_ESCAPE, '');
