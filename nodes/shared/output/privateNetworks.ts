import { parseUrl, trimEnd } from '../service/shownText';

/**
 * Blocks of addresses that are not on the internet, or lead back to what is not. Each has its first address and the
 * number of bits that all share. From IANA's special-purpose registries, without the blocks only for documentation.
 */
const NETWORKS: readonly string[] = [
	// "This network": reaches the machine itself.
	'0.0.0.0/8',
	'10.0.0.0/8',
	// Shared by the customers of a provider.
	'100.64.0.0/10',
	'127.0.0.0/8',
	'169.254.0.0/16',
	'172.16.0.0/12',
	'192.0.0.0/24',
	// Relays to 6to4.
	'192.88.99.0/24',
	'192.168.0.0/16',
	// Benchmarks.
	'198.18.0.0/15',
	// Multicast, reserved and broadcast.
	'224.0.0.0/3',
	// Unspecified, loopback, and IPv4 addresses in a form that is out of use.
	'[::]/96',
	// IPv4 addresses, mapped and translated.
	'[::ffff:0:0]/96',
	'[::ffff:0:0:0]/96',
	'[64:ff9b::]/96',
	'[64:ff9b:1::]/48',
	// Goes nowhere.
	'[100::]/64',
	// Protocols, such as Teredo, which leads to IPv4 addresses; so does 6to4, the next block.
	'[2001::]/23',
	'[2002::]/16',
	'[fc00::]/7',
	'[fe80::]/10',
	'[fec0::]/10',
	'[ff00::]/8',
];

/**
 * Whether a host is inside a private network, by its literal address; of names, only `localhost` (`*.localhost`) is.
 *
 * @param hostname as `URL` gives it: lower case, IPv4 in four decimal numbers, IPv6 in brackets
 */
export function isPrivateHost(hostname: string): boolean {
	const host = trimEnd(hostname, '.');
	if (host === 'localhost' || host.endsWith('.localhost')) return true;
	const address = bitsOf(host);
	return PRIVATE.some((start) => address.startsWith(start));
}

/** Endings of names that no public server has (RFC 6762, 8375, 2606; ICANN), and that private networks use. */
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

/** The bits of an address, after the number of its IP version: `400001010…`; empty for a name. */
function bitsOf(host: string): string {
	if (/^\d+\.\d+\.\d+\.\d+$/.test(host)) return `4${inBits(host.split('.').map(Number), 8)}`;
	if (!host.startsWith('[')) return '';
	const [left = [], right] = host.slice(1, -1).split('::').map(wordsOf);
	const zeros = right ? Array<number>(8 - left.length - right.length).fill(0) : [];
	return `6${inBits([...left, ...zeros, ...(right ?? [])], 16)}`;
}

const wordsOf = (text: string) =>
	text === '' ? [] : text.split(':').map((word) => parseInt(word, 16));

const inBits = (numbers: readonly number[], length: number) =>
	numbers.map((number) => number.toString(2).padStart(length, '0')).join('');

const PRIVATE = NETWORKS.map((network) => {
	const [first = '', bits] = network.split('/');
	return bitsOf(first).slice(0, 1 + Number(bits));
});
