import { parseUrl, trimEnd } from '../service/shownText';

/**
 * This machine and private networks, as `URL` writes them: names that no public server has (RFC 6762, 8375, 2606;
 * ICANN), such as `localhost`, `n8n` and `server.local`, IPv4, and IPv6 with its forms for IPv4. What a public name
 * leads to is left to n8n's own protection (N8N_SSRF_PROTECTION_ENABLED).
 */
const PRIVATE = [
	/^[^.[]+$|\.(localhost|local|internal|home\.arpa|test|invalid|lan|home|corp|intranet|localdomain)$/,
	/^(0|10|127)(\.\d+){3}$/,
	/^(169\.254|192\.168|172\.(1[6-9]|2\d|3[01])|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7]))(\.\d+){2}$/,
	/^\[(::|f[cd][\da-f]{2}:|fe[89a-f][\da-f]:)/,
];

/** Whether a URL leads to this machine or into a private network, as it is written; what is no URL does not. */
export function isPrivateUrl(text: string): boolean {
	const host = trimEnd(parseUrl(text)?.hostname ?? '', '.');
	return PRIVATE.some((hosts) => hosts.test(host));
}
