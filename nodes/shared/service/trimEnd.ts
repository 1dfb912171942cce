/**
 * The text without those characters at its end. In one pass: an expression such as `[ .]+$` is tried
 * anew at every character of a text from outside.
 */
export function trimEnd(text: string, characters: string): string {
	let end = text.length;
	while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1;
	return text.slice(0, end);
}
