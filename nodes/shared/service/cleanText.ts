/**
 * Characters that would break a line, act on a terminal or log, or turn text around: controls, line
 * and paragraph separators, directions.
 */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\ufeff]+/gu;

/** A text of someone else in one line that can be shown, with at most `max` characters. */
export function cleanText(text: string, max = Infinity): string {
	// Cut first as well: a text of megabytes is not worth cleaning.
	const line = text
		.slice(0, max * 4)
		.replace(UNSEEN, ' ')
		.replace(/\s+/g, ' ')
		.trim();
	if (line.length <= max) return line;
	return `${[...line.slice(0, max * 2)].slice(0, max).join('')}…`;
}
