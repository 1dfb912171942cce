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
	return said(await n8n.run({ items: [{}], parameters, node }));
}

const REFUSED = 'The service refused the request as malformed or incomplete';

/** The documented body has `error` and `details`; a proxy or another version has others. */
describe('what the service says is shown', () => {
	test.each<[object, string]>([
		[{ error: 'Invalid' }, 'The service said: Invalid.'],
		[{ error: 'Too rude.', code: 17 }, 'The service said: Too rude.'],
	])('%j', async (more, words) => {
		const { message, description } = await listWith({ body: { success: false, ...more } });
		expect(message).toBe(REFUSED);
		expect(description).toBe(`Correct the fields that are named. ${words}`);
	});

	test.each<[unknown]>([
		[{ detail: 'Your prompt violates the content policy.' }],
		[{ success: false, error: { code: 'policy', message: 'No.' } }],
		[{ errors: { prompt: [{ message: 'No.' }] } }],
		[['Too rude.']],
		[{ success: false, error: '' }],
	])('as it is, where it has another form: %j', async (body) => {
		const { message, description } = await listWith({ body: JSON.stringify(body) });
		expect(message).toBe(REFUSED);
		expect(description).toBe(
			`Correct the fields that are named. The answer starts: ${JSON.stringify(body)}`,
		);
	});

	test.each<[object, string]>([
		[
			{ prompt: 'too long', size: ['not allowed'], model: 'unknown' },
			'prompt: too long, size: ["not allowed"] and model: unknown',
		],
		[{ prompt: { min: 1 } }, 'prompt: {"min":1}'],
	])('details: %j', async (details, words) => {
		const { message } = await listWith({ body: { success: false, error: 'Invalid', details } });
		expect(message).toBe(`${REFUSED}: ${words}`);
	});

	test('in one line, without controls, and not without end', async () => {
		const evil = 'x\r\n\u001b[31m\u202e'.repeat(10_000);
		for (const body of [evil, { error: [evil, evil] }, { [evil]: evil }]) {
			const { message, description } = await listWith({ body: JSON.stringify(body) });
			expect(`${message}${description}`).not.toMatch(/[\p{Cc}\u202e]/u);
			expect(description).toMatch(/: .*x.*\[31m/);
			expect(`${message}${description}`.length).toBeLessThan(1500);
		}
	});
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
	const run = await n8n.run({ items: [{}], parameters: IMAGE, node });
	return { ...said(run), charged: run.items[0]?.json.charged, tries };
}

/** n8n wraps the error of its client. */
const wrapped = (facts: object) => ({ name: 'NodeApiError', cause: { cause: facts } });

/** Money rule 1: what was never made is tried again, everything else is doubt. */
describe('a connection', () => {
	test.each([
		...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
		...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
		...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'ERR_TLS_CERT_ALTNAME_INVALID'],
	])('that was never made: %s', async (code) => {
		const { message, description, charged, tries } = await orderWith(wrapped({ code }));
		expect(message).toBe('The Base URL cannot be reached');
		expect(description).toContain(`(${code}). Nothing was sent, nothing was charged.`);
		expect({ charged, tries }).toEqual({ charged: 'no', tries: 3 });
	});

	test('that was never made: why is told in the words of Node', async () => {
		const facts = { code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND api.exmple.com' };
		const { description } = await orderWith(wrapped(facts));
		expect(description).toContain(`the network of the n8n server (${facts.message}).`);
	});

	test.each(['SsrfBlockedIpError', 'SsrfBlockedHostnameError'])(
		'that n8n has blocked: %s',
		async (name) => {
			const { description, charged } = await orderWith(wrapped({ name }));
			expect(description).toContain(`(${name})`);
			expect(charged).toBe('no');
		},
	);

	test.each(['ETIMEDOUT', 'EADDRNOTAVAIL', 'ECONNRESET', 'something new'])(
		'that failed while it was made: %s',
		async (code) => {
			const { description, charged } = await orderWith(wrapped({ code, syscall: 'connect' }));
			expect(description).toContain(`(${code})`);
			expect(charged).toBe('no');
		},
	);

	test.each([
		[{ code: 'ECONNABORTED' }, 'did not answer within 30 seconds'],
		[{ code: 'ETIMEDOUT' }, 'did not answer within 30 seconds'],
		[{ code: 'ECONNRESET' }, 'broke off before the answer'],
		[{ code: 'something new' }, 'broke off before the answer'],
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
