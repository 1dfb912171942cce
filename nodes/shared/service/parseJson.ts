/** Deeper than any answer of the service. What n8n does with items is recursive. */
export const MAX_DEPTH = 100;

/** The value of a JSON text; `undefined` when it is none, or nested deeper than `MAX_DEPTH`. */
export function parseJson(text: string): unknown {
	if (isTooDeep(text)) return undefined;
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
	}
}

const codeOf = (character: string) => character.charCodeAt(0);

const QUOTE = codeOf('"');
const BACKSLASH = codeOf('\\');

/** What brackets outside of strings do to the depth. */
const STEPS: Readonly<Record<number, number>> = {
	[codeOf('{')]: 1,
	[codeOf('[')]: 1,
	[codeOf('}')]: -1,
	[codeOf(']')]: -1,
};

/** Looks at the text, so that nothing is built of one that nests too deep. */
function isTooDeep(text: string): boolean {
	let depth = 0;
	let isString = false;
	for (let at = 0; at < text.length; at++) {
		const code = text.charCodeAt(at);
		if (code === QUOTE) isString = !isString;
		else if (isString) at += code === BACKSLASH ? 1 : 0;
		else depth += STEPS[code] ?? 0;
		if (depth > MAX_DEPTH) return true;
	}
	return false;
}
