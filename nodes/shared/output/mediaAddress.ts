import { DownloadError } from './downloadError';

/**
 * An address that media may be fetched from: http(s), and in a private network only if the service
 * itself is in one. So a service on the internet cannot make n8n fetch from inside its network.
 *
 * Literal addresses and `localhost` are checked. What a name resolves to is the matter of n8n's own
 * protection against such requests (N8N_SSRF_PROTECTION_ENABLED), which checks every connection.
 *
 * @param from the address that redirects there
 * @throws DownloadError
 */
export function mediaAddress(text: string, mayBePrivate: boolean, from?: URL): URL {
	const url = parse(text, from);
	if (!url || !['http:', 'https:'].includes(url.protocol)) {
		throw new DownloadError(
			'Not downloaded: only http and https addresses are downloaded from',
			false,
		);
	}
	if (!mayBePrivate && isPrivateHost(url.hostname)) {
		throw new DownloadError(
			'Not downloaded: the address is inside a private network, and the service is not',
			false,
		);
	}
	return url;
}

/** @param hostname as `URL` gives it: lower case, IPv4 in four decimal numbers, IPv6 in brackets */
export function isPrivateHost(hostname: string): boolean {
	const name = hostname.replace(/\.$/, '');
	return PRIVATE_NAMES.test(name) || isPrivateIpv4(mappedIpv4(name)) || PRIVATE_IPV6.test(name);
}

const PRIVATE_NAMES = /^(.+\.)?localhost$/;

/** ::, ::1, fc00::/7 and fe80::/10. */
const PRIVATE_IPV6 = /^\[(::1?\]|f[cd]..:|fe[89ab].:)/;

/** First address and number of leading bits; 0.0.0.0 reaches the machine itself. */
const PRIVATE_IPV4: ReadonlyArray<[string, number]> = [
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.168.0.0', 16],
];

function isPrivateIpv4(address: string): boolean {
	if (!/^\d+\.\d+\.\d+\.\d+$/.test(address)) return false;
	return PRIVATE_IPV4.some(
		([first, bits]) => Math.floor((toNumber(address) - toNumber(first)) / 2 ** (32 - bits)) === 0,
	);
}

const toNumber = (address: string) =>
	address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);

/** The IPv4 address in an IPv6 one (`[::ffff:7f00:1]`); any other text as it is. */
function mappedIpv4(name: string): string {
	const [, high, low] = /^\[::ffff:([0-9a-f]+):([0-9a-f]+)\]$/.exec(name) ?? [];
	if (high === undefined || low === undefined) return name;
	const parts = [high, low].map((part) => parseInt(part, 16));
	return parts.flatMap((part) => [part >> 8, part & 255]).join('.');
}

function parse(text: string, base?: URL): URL | undefined {
	try {
		return new URL(text, base);
	} catch {
		return undefined;
	}
}
