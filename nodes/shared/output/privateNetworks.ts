import { parseUrl, trimEnd } from '../service/shownText';

/**
 * Addresses of this machine and of private networks, as `URL` writes them: `localhost`, IPv4, and IPv6 with its forms
 * for IPv4. n8n's own SSRF protection knows more, and what a name leads to.
 */
const PRIVATE = [
	/^(.+\.)?localhost$/,
	/^(0|10|127)(\.\d+){3}$/,
	/^(169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(\.\d+){2}$/,
	/^\[(::|f[cd][\da-f]{2}:|fe[89a-f][\da-f]:)/,
];

/** Names that no public server has (RFC 6762, 8375, 2606; ICANN) and private networks use: `n8n`, `server.local`. */
const INTERNAL =
	/^[^.[]+$|\.(local|internal|home\.arpa|test|invalid|lan|home|corp|intranet|localdomain)$/;

/**
 * Whether a host is inside a private network, by its literal address; of names, only `localhost` (`*.localhost`) is.
 *
 * @param hostname as `URL` gives it: lower case, IPv4 in four decimal numbers, IPv6 in brackets
 */
export function isPrivateHost(hostname: string): boolean {
	const host = trimEnd(hostname, '.');
	return PRIVATE.some((addresses) => addresses.test(host));
}

/**
 * Whether a host cannot be reached from the internet: it is inside a private network, or has a name of
 * such a network (`n8n`, `server.local`).
 *
 * @param hostname as `URL` gives it
 */
export const isInternalHost = (hostname: string): boolean =>
	isPrivateHost(hostname) || INTERNAL.test(trimEnd(hostname, '.'));

/** Whether a URL leads into a private network (`isPrivateHost`); what is no URL does not. */
export function isPrivateUrl(text: string): boolean {
	const url = parseUrl(text);
	return url !== undefined && isPrivateHost(url.hostname);
}
