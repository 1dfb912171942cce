/**
 * An address as an error may show it: without user info, query and fragment, which can hold a
 * password or a signature.
 *
 * @param text an address, or what was given for one
 */
export function shownAddress(text: string): string {
	if (!text.includes('@')) return text.split(/[?#]/, 1).join('');
	const url = parseUrl(text);
	// What has no host may have a password anywhere.
	return url?.host ? `${url.protocol}//${url.host}${url.pathname}` : '***';
}

/** `undefined` where the text is no address. */
export function parseUrl(text: string): URL | undefined {
	try {
		return new URL(text);
	} catch {
		return undefined;
	}
}
