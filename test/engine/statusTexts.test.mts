import { OPEN_PATHS } from '../../sandbox/settings.mts';
import { runInEngine } from '../support/engine.mts';
import { useSandbox } from '../support/useSandbox.mts';
import { withoutLink } from '../support/toldBy.mts';
import { ERRORS } from '../document.mts';

/** Every documented error status on every kind of operation: the text that a user sees. */

const sandbox = useSandbox();

type Node = 'Image' | 'Music' | 'Account';

const JOB = { resource: 'job', jobId: 'gen-1', options: { timeout: 1 } };

const OPERATIONS: Record<string, [Node, Record<string, unknown>]> = {
	creation: ['Image', { resource: 'image', operation: 'generate', prompt: 'a', size: '1:1' }],
	'status, once': ['Image', { ...JOB, operation: 'get' }],
	'status, waited for': ['Image', { ...JOB, operation: 'wait' }],
	list: ['Image', { resource: 'model', operation: 'list' }],
	history: ['Image', { resource: 'job', operation: 'history' }],
	catalog: ['Music', { resource: 'catalog', operation: 'getCatalog' }],
	record: ['Account', { resource: 'profile', operation: 'get' }],
};

/** Message and description. */
type Text = readonly [string, string];

const TEXTS: Record<(typeof ERRORS)[number]['status'], Text> = {
	400: [
		'The service refused the request as malformed or incomplete: prompt: is odd',
		'Correct the fields that are named.',
	],
	401: [
		'The API key is missing, invalid or revoked',
		'Enter a valid key from the dashboard of the service in the MediaGen API credential. If it is right, try another Header Form.',
	],
	402: [
		'Not enough purchased credits',
		'Buy credits in the dashboard of the service. Welcome credits work on the website only.',
	],
	403: [
		'The service denied access',
		'The key is known, but may not do this. Check the account in the dashboard of the service.',
	],
	404: [
		'The service does not know this address or identifier',
		'Check the ID, which must belong to the same account, or else the Base URL of the credential.',
	],
	429: [
		'The account has reached a limit of the service',
		'The limits are 100 requests a minute and 5 generations running at the same time. Run again when less is going on, or, for a demo account (10 requests an hour), choose that as Account in the MediaGen API credential. The service asks to wait 3600 seconds.',
	],
	500: ['The service had an internal error', 'It is not caused by your workflow. Try again later.'],
};

const SAID = 'The service said: Because.';
const MAY_BE_PAID =
	'The job may exist and be paid for: look for it with Job > Get History, and take its result with Job > Wait for Completion. It could not be read just now. If it is not there, Retry on this execution, or a new run for this item, orders it anew.';

/** Where an operation has more to say, by its name and the status. */
const MORE: Record<string, Partial<Record<number, (text: Text) => Text>>> = {
	creation: {
		...Object.fromEntries(
			[400, 401, 402, 403, 404, 429].map((status) => [
				status,
				([message, description]: Text): Text => [
					message,
					`${description} ${SAID} Nothing was charged.`,
				],
			]),
		),
		500: ([message]) => [message, `${MAY_BE_PAID} ${SAID}`],
	},
	'status, waited for': {
		...Object.fromEntries(
			[400, 401, 402, 403, 404].map((status) => [
				status,
				([message, description]: Text): Text => [
					`The status of job gen-1 cannot be read: ${message}`,
					`${description} ${SAID}`,
				],
			]),
		),
	},
};

const said = ([message, description]: Text): Text => [message, `${description} ${SAID}`];

/** These pass, and are waited out for minutes: test/unit/run/silentService. */
const isWaitedOut = (name: string, status: string) =>
	name === 'status, waited for' && ['429', '500'].includes(status);

const CASES = Object.entries(OPERATIONS).flatMap(([name, [node, parameters]]) =>
	Object.entries(TEXTS)
		.filter(([status]) => !isWaitedOut(name, status))
		.map(([status, text]) => {
			const [message, description] = (MORE[name]?.[Number(status)] ?? said)(text);
			return { name, status: Number(status), node, parameters, message, description };
		}),
);

test('the table has every documented status', () => {
	expect(Object.keys(TEXTS)).toEqual(ERRORS.map(({ status }) => String(status)));
});

test.each(CASES)('$status on $name', async ({ status, node, parameters, message, description }) => {
	const details = status === 400 ? { details: { prompt: 'is odd' } } : {};
	const body = { success: false, error: 'Because.', ...details };
	// Longer than there is time: a 429 that passes is waited out, and never seen.
	const headers: Record<string, string> = status === 429 ? { 'retry-after': '3600' } : {};
	sandbox.faults.add({ fault: { kind: 'status', status, body, headers } });
	const { error, outputs } = await runInEngine({
		parameters,
		node: { type: `n8n-nodes-mediagen.mediaGen${node}` },
		credential: { baseUrl: sandbox.url, apiKey: sandbox.key, ...OPEN_PATHS },
	});
	expect(error?.message).toBe(message);
	expect(withoutLink(error?.description)).toBe(description);
	expect(outputs).toEqual([]);
	expect(sandbox.account.charges).toEqual([]);
});
