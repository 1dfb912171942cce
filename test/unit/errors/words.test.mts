import type { Fault } from '../../../sandbox/faults.mts';
import { VirtualN8n, type Execution } from '../../support/virtualRun.mts';
import { IMAGE, toldIn } from './force.mts';

/** The words of the service, and those about a connection, as a person reads them. */

const said = ({ items }: Execution) => {
	const { error = '', description = '' } = toldIn(items[0]);
	return { message: error, description };
};

async function listWith(fault: Partial<Fault & { kind: 'status' }>) {
	const n8n = new VirtualN8n();
	n8n.state.faults.add({ fault: { kind: 'status', status: 400, ...fault }, times: Infinity });
	const parameters = { resource: 'job', operation: 'history' };
	const node = { onError: 'continueRegularOutput' } as const;
	return said(await n8n.clock.run(n8n.execute({ items: [{}], parameters, node })));
}

const REFUSED = 'The service refused the request as malformed or incomplete';

/** The documented body has `error` and `details`; a proxy or another version has others. */
describe('what the service says is shown in whatever form', () => {
	const RULE = 'Your prompt violates the content policy.';

	test.each<[unknown, string]>([
		[{ detail: RULE }, `detail: ${RULE}`],
		[{ message: 'Please buy credits' }, 'message: Please buy credits.'],
		[
			{ success: false, error: { code: 'policy', message: RULE } },
			`code: policy and message: ${RULE}`,
		],
		[{ success: false, error: ['Too rude.', 'Too long.'] }, 'Too rude. / Too long.'],
		[{ success: false, error: 'Invalid', code: 17, hint: null }, 'Invalid; code: 17.'],
		[{ prompt: ['Too rude.', 'Too long.'], size: [] }, 'prompt: Too rude. / Too long.'],
		['Too rude.', 'Too rude.'],
	])('%j', async (body, words) => {
		const { message, description } = await listWith({ body: JSON.stringify(body) });
		expect(message).toBe(REFUSED);
		expect(description).toBe(`Correct the fields that are named. The service said: ${words}`);
	});

	test.each<[unknown, string]>([
		[
			{ prompt: 'too long', size: ['not allowed'], model: 'unknown' },
			'prompt: too long, size: not allowed and model: unknown',
		],
		['Too rude.', 'Too rude.'],
	])('details: %j', async (details, words) => {
		const { message } = await listWith({ body: { success: false, error: 'Invalid', details } });
		expect(message).toBe(`${REFUSED}: ${words}`);
	});

	test.each([{}, { success: false }, { error: '', details: [] }, { error: null, detail: '' }])(
		'%j says nothing',
		async (body) => {
			const { message, description } = await listWith({ status: 500, body });
			expect(message).toBe('The service had an internal error');
			expect(description).toMatch(/^It is not caused by your workflow\. Try again later\.$/);
		},
	);
});

/** An image that is ordered while the network fails with that error. */
async function orderWith(thrown: unknown) {
	const n8n = new VirtualN8n();
	let tries = 0;
	n8n.network.send = async ({ method }) => {
		// In doubt, the history is read as well.
		if (method === 'POST') tries += 1;
		throw thrown;
	};
	const node = { onError: 'continueRegularOutput' } as const;
	const run = await n8n.clock.run(n8n.execute({ items: [{}], parameters: IMAGE, node }));
	return { ...said(run), charged: run.items[0]?.json.charged, tries };
}

/** n8n wraps the error of its client. */
const wrapped = (facts: object) => ({ name: 'NodeApiError', cause: { cause: facts } });

/** Money rule 1: what was never made is tried again, everything else is doubt. */
describe('a connection', () => {
	test.each([
		['ECONNREFUSED', 'the connection was refused'],
		['ENOTFOUND', 'its host name is not known'],
		['EAI_AGAIN', 'its host name could not be looked up'],
		['EHOSTUNREACH', 'there is no way to its host'],
		['ENETUNREACH', 'there is no way to its host'],
		['CERT_HAS_EXPIRED', 'n8n does not trust its certificate (CERT_HAS_EXPIRED)'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'n8n does not trust its certificate'],
		['SELF_SIGNED_CERT_IN_CHAIN', 'n8n does not trust its certificate'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'n8n does not trust its certificate'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'n8n does not trust its certificate'],
	])('that was never made: %s', async (code, reason) => {
		const { message, description, charged, tries } = await orderWith(wrapped({ code }));
		expect(message).toContain(`The Base URL cannot be reached: ${reason}`);
		expect(description).toContain('Nothing was sent, nothing was charged.');
		expect({ charged, tries }).toEqual({ charged: 'no', tries: 3 });
	});

	test.each(['SsrfBlockedIpError', 'SsrfBlockedHostnameError'])(
		'that n8n has blocked: %s',
		async (name) => {
			const { message, charged } = await orderWith(wrapped({ name }));
			expect(message).toContain('N8N_SSRF_ALLOWED_HOSTNAMES');
			expect(charged).toBe('no');
		},
	);

	test.each(['ETIMEDOUT', 'EADDRNOTAVAIL', 'ECONNRESET', 'something new'])(
		'that failed while it was made: %s',
		async (code) => {
			const { message, charged } = await orderWith(wrapped({ code, syscall: 'connect' }));
			expect(message).toContain(`The Base URL cannot be reached: ${code}`);
			expect(charged).toBe('no');
		},
	);

	test.each([
		[{ code: 'ECONNABORTED' }, 'did not answer within 30 seconds'],
		[{ code: 'ETIMEDOUT' }, 'did not answer within 30 seconds'],
		[{ code: 'ECONNRESET' }, 'broke off before the answer'],
		[{ code: 'something new' }, 'broke off before the answer'],
		[{ code: 'constructor' }, 'broke off before the answer'],
		[{ code: '__proto__' }, 'broke off before the answer'],
		[{ code: 7, httpCode: 500 }, 'broke off before the answer'],
		...['EHOSTUNREACH', 'ECONNREFUSED', 'EPIPE', 'EPROTO', 'CERT_HAS_EXPIRED'].flatMap((code) =>
			['read', 'write'].map((syscall): [object, string] => [{ code, syscall }, 'broke off']),
		),
	])('that may have carried the request: %j', async (facts, words) => {
		const { message, charged, tries } = await orderWith(wrapped(facts));
		expect(message).toContain(words);
		expect({ charged, tries }).toEqual({ charged: 'unknown', tries: 1 });
	});

	test.each([undefined, null, 'text', 7])('%p, thrown by whom ever, is doubt', async (thrown) => {
		expect((await orderWith(thrown)).charged).toBe('unknown');
	});
});
