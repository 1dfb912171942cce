import { isStatusPath, statusLinkIn } from '../../../nodes/shared/orders/findStatus.ts';

const ID = '0b1f7f0e-7d7c-4d0e-8f3a-1c2d3e4f5a6b';
const BASE = 'https://api.example';

const linkIn = (answer: Record<string, unknown>, location?: string, base = BASE) =>
	statusLinkIn(answer, location, ID, base);

test.each([
	['a field with a path', { status_url: `/jobs/${ID}/status` }, '/jobs/{job_id}/status'],
	['a field with an address', { status_url: `${BASE}/jobs/${ID}` }, '/jobs/{job_id}'],
	['inside', { data: { links: { self: `/jobs/${ID}/` } } }, '/jobs/{job_id}/'],
	['beside others', { cancel_url: `/jobs/${ID}/cancel`, poll: `/jobs/${ID}` }, '/jobs/{job_id}'],
])('%s', (_, answer, path) => {
	expect(linkIn(answer)).toBe(path);
});

test('the header Location goes first', () => {
	const answer = { status_url: `/jobs/${ID}` };
	expect(linkIn(answer, `${BASE}/location/${ID}`)).toBe('/location/{job_id}');
});

test('what stands before the paths of the service is left out', () => {
	expect(linkIn({}, `https://proxy.example/media/jobs/${ID}`, 'https://proxy.example/media')).toBe(
		'/jobs/{job_id}',
	);
	expect(
		linkIn({}, `https://proxy.example/jobs/${ID}`, 'https://proxy.example/media'),
	).toBeUndefined();
});

test.each([
	['another host', `https://evil.example/jobs/${ID}`],
	['another port', `${BASE}:8443/jobs/${ID}`],
	['another scheme', `http://api.example/jobs/${ID}`],
	['a host without a scheme', `//evil.example/jobs/${ID}`],
	['a user name', `https://user@api.example/jobs/${ID}`],
	['a query', `/jobs?id=${ID}`],
	['a query besides', `/jobs/${ID}?token=1`],
	['no identifier', '/jobs/latest'],
	['an identifier that is part of a name', `/jobs/${ID}.json`],
	['another text', `see /jobs/${ID}`],
	['a longer text', `/jobs/${'x'.repeat(600)}/${ID}`],
])('not %s', (_, status_url) => {
	expect(linkIn({ status_url })).toBeUndefined();
});

test('not a field that may do something', () => {
	for (const name of ['cancel_url', 'webhook_status_url', 'url', 'video_url', 'delete_state'])
		expect(linkIn({ [name]: `/jobs/${ID}` })).toBeUndefined();
});

test.each([
	['/jobs/{job_id}', true],
	['/jobs/{job_id}/', true],
	['/a/b-c_d.e/{job_id}/state', true],
	['/jobs/', false],
	['jobs/{job_id}', false],
	['//evil.example/{job_id}', false],
	['/../{job_id}', false],
	['/a/./{job_id}', false],
	['/%2e%2e/{job_id}', false],
	['/{job_id}/{job_id}', false],
	['/jobs/{job_id}?x=1', false],
	['/jobs/{job_id}#x', false],
	['/jobs/x{job_id}', false],
	[7, false],
])('an item may say %j: %s', (path, expected) => {
	expect(isStatusPath(path)).toBe(expected);
});
