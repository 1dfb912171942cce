import { outsideAddress } from '../../../nodes/shared/output/openFile.ts';
import { isPrivateHost } from '../../../nodes/shared/output/privateNetworks.ts';

const INSIDE = [
	'localhost',
	'LOCALHOST.',
	'media.localhost',
	'127.0.0.1',
	'127.1',
	'2130706433',
	'0x7f.0.0.1',
	'0.0.0.0',
	'10.0.0.0',
	'10.255.255.255',
	'172.16.0.1',
	'172.31.255.255',
	'192.168.0.1',
	'169.254.169.254',
	'[::]',
	'[::1]',
	'[0:0:0:0:0:0:0:1]',
	'[fc00::1]',
	'[fdff::1]',
	'[fe80::1]',
	'[febf::1]',
	'[::ffff:127.0.0.1]',
	'[::ffff:a00:1]',
	'[::ffff:8.8.8.8]',
	'[0:0:0:0:0:FFFF:0808:0808]',
	'[::127.0.0.1]',
	'[::2]',
	'[fec0::1]',
	'[feff::1]',
	'[::ffff:0:7f00:1]',
	'[::ffff:0:8.8.8.8]',
	'127.0.0.1.',
	'100.64.0.0',
	'100.127.255.255',
];

const OUTSIDE = [
	'example.com',
	'localhost.example.com',
	'10.example.com',
	'1.0.0.0',
	'9.255.255.255',
	'11.0.0.0',
	'126.255.255.255',
	'128.0.0.0',
	'172.15.255.255',
	'172.32.0.0',
	'192.167.255.255',
	'192.169.0.0',
	'169.253.255.255',
	'169.255.0.0',
	'[2001:db8::1]',
	'[2003::1]',
	'[fbff::1]',
	'[fe00::1]',
	'[fc::1]',
	'100.63.255.255',
	'100.128.0.0',
];

const address = (text: string, mayBePrivate = false, from?: URL) =>
	outsideAddress(text, { subject: 'It', mayBePrivate, from }).href;

test.each(INSIDE)('http://%s is inside a private network', (host) => {
	expect(isPrivateHost(new URL(`http://${host}/`).hostname)).toBe(true);
	expect(() => address(`http://${host}:8080/a.png`)).toThrow('inside a private network');
	expect(address(`http://${host}/a.png`, true)).toMatch(/a\.png$/);
});

test.each(OUTSIDE)('http://%s is not', (host) => {
	expect(address(`https://${host}/a.png`)).toMatch(/a\.png$/);
});

test.each([
	'file:///etc/passwd',
	'javascript:alert(1)',
	'data:image/png;base64,AA==',
	'ftp://a/b',
	'',
])('%j is not downloaded', (text) => {
	expect(() => address(text, true)).toThrow('is no http or https address');
});

test('a redirect is read from where it came', () => {
	const from = new URL('https://cdn.example/a/b.png');
	expect(address('../c.png', false, from)).toBe('https://cdn.example/c.png');
	expect(address('//other.example/c.png', false, from)).toBe('https://other.example/c.png');
	expect(() => address('//127.0.0.1/c.png', false, from)).toThrow('inside a private network');
	expect(() => address('file:///c.png', false, from)).toThrow('is no http or https address');
});
