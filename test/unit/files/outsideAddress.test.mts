import { isPrivateUrl } from '../../../nodes/shared/files/media.ts';

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

const INTERNAL = ['n8n', 'server.local', 'minio.internal'];

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

test.each([...INSIDE, ...INTERNAL])('http://%s is inside a private network', (host) => {
	expect(isPrivateUrl(`http://${host}:8080/a.png`)).toBe(true);
});

test.each(OUTSIDE)('http://%s is not', (host) => {
	expect(isPrivateUrl(`https://${host}/a.png`)).toBe(false);
});
