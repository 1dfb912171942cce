import { INVISIBLE } from './values';

/**
 * The URL that a text is; `undefined` where it is none.
 *
 * @param base what a relative address is relative to
 */
export function parseUrl(text: string, base?: string): URL | undefined {
	// In Node 20 and 22, URL.canParse refuses hosts such as médias.example once V8 has compiled the call.
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}

/** Whether a text is an http(s) URL and nothing else. */
export const isUrl = (text: string): boolean =>
	/^https?:\/\/\S+$/i.test(text) && text.search(INVISIBLE) < 0 && parseUrl(text) !== undefined;
