import { parseUrl, trimEnd } from '../service/shownText';

/**
 * First address and number of leading bits of what is not on the internet, or leads back to what is
 * not: IANA's special-purpose registries, without the blocks that are only for documentation.
 */
const NETWORKS: ReadonlyArray<[first: string, bits: number]> = [
	// "This network": reaches the machine itself.
	['0.0.0.0', 8],
	['10.0.0.0', 8],
	// Shared by the customers of a provider.
	['100.64.0.0', 10],
	['127.0.0.0', 8],
	['169.254.0.0', 16],
	['172.16.0.0', 12],
	['192.0.0.0', 24],
	// Relays to 6to4.
	['192.88.99.0', 24],
	['192.168.0.0', 16],
	// Benchmarks.
	['198.18.0.0', 15],
	// Multicast, reserved and broadcast.
	['224.0.0.0', 3],
	// Unspecified, loopback and, out of use, IPv4 addresses.
	['[::]', 96],
	// IPv4 addresses, mapped and translated.
	['[::ffff:0:0]', 96],
	['[::ffff:0:0:0]', 96],
	['[64:ff9b::]', 96],
	['[64:ff9b:1::]', 48],
	// Goes nowhere.
	['[100::]', 64],
	// Protocols, such as Teredo, which leads to IPv4 addresses; so does 6to4.
	['[2001::]', 23],
	['[2002::]', 16],
	['[fc00::]', 7],
	['[fe80::]', 10],
	['[fec0::]', 10],
	['[ff00::]', 8],
];

/**
 * Whether a host is inside a private network, by its literal address; of names, `localhost` alone is.
 *
 * @param hostname as `URL` gives it: lower case, IPv4 in four decimal numbers, IPv6 in brackets
 */
export function isPrivateHost(hostname: string): boolean {
	const host = trimEnd(hostname, '.');
	if (host === 'localhost' || host.endsWith('.localhost')) return true;
	const address = bytesOf(host);
	return PRIVATE.some(({ first, bits }) => startsAlike(address, first, bits));
}

/** Last parts of names that no public server has (RFC 6762, 8375, 2606; ICANN), and that networks of their own use. */
const INTERNAL = [
	...['local', 'internal', 'home.arpa', 'test', 'invalid'],
	...['lan', 'home', 'corp', 'intranet', 'localdomain'],
];

/**
 * Whether a host cannot be reached from the internet: it is inside a private network, or has a name of
 * such a network (`n8n`, `server.local`).
 *
 * @param hostname as `URL` gives it
 */
export function isInternalHost(hostname: string): boolean {
	const host = trimEnd(hostname, '.');
	const isName = !host.startsWith('[');
	return (
		isPrivateHost(host) ||
		(isName && (!host.includes('.') || INTERNAL.some((last) => host.endsWith(`.${last}`))))
	);
}

/** Whether a URL leads into a private network (`isPrivateHost`); what is no URL does not. */
export function isPrivateUrl(text: string): boolean {
	const url = parseUrl(text);
	return url !== undefined && isPrivateHost(url.hostname);
}

/** The 4 bytes of an IPv4 address, the 16 of an IPv6 one, none of a name. */
function bytesOf(host: string): number[] {
	if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return host.split('.').map(Number);
	if (!host.startsWith('[')) return [];
	const [left = [], right] = host.slice(1, -1).split('::').map(wordsOf);
	const zeros = right ? Array<number>(8 - left.length - right.length).fill(0) : [];
	return [...left, ...zeros, ...(right ?? [])].flatMap((word) => [word >> 8, word & 0xff]);
}

const wordsOf = (text: string) =>
	text === '' ? [] : text.split(':').map((word) => parseInt(word, 16));

const PRIVATE = NETWORKS.map(([first, bits]) => ({ first: bytesOf(first), bits }));

/** Whether two addresses of the same kind have the same leading bits. */
function startsAlike(address: readonly number[], first: readonly number[], bits: number): boolean {
	return (
		address.length === first.length &&
		first.every((byte, index) => {
			const left = Math.min(8, Math.max(0, bits - 8 * index));
			return byte >> (8 - left) === Number(address[index]) >> (8 - left);
		})
	);
}
