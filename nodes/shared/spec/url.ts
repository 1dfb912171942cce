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

/**
 * Hosts of this machine and of private networks, as `URL` writes them: names without a dot, such as `localhost` and
 * `n8n`, those that no public server has, IPv4, and all of IPv6. What a public name leads to is left to n8n's own
 * protection (N8N_SSRF_PROTECTION_ENABLED).
 */
const PRIVATE =
	/^(?:\[.*|[^.]+|.*\.(?:localhost|local|internal|lan|home)|(?:0|10|127|169\.254|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+)\.?$/;

/** Whether a URL leads to this machine or into a private network, as it is written. */
export const isPrivate = (url: string): boolean => PRIVATE.test(parseUrl(url)?.hostname ?? '');
