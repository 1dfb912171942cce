import { Claims } from '../../../nodes/shared/orders/claims.ts';
import { fingerprint, Ledger, ledgerOf } from '../../../nodes/shared/orders/ledger.ts';
import type { JobSpec } from '../../../nodes/shared/orders/jobContext.ts';
import { doubtIn, jobOf, type InDoubt, type Order } from '../../../nodes/shared/orders/order.ts';
import { reconcileOrders } from '../../../nodes/shared/orders/reconcile.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** Orders of unknown outcome: which of them get their job, and from where. */

/** When the creations were sent. */
const AT = Date.parse('2026-01-01T12:00:00.000Z');

const clock = new VirtualClock(AT + 300_000);

const specOf = (itemIndex: number, prompt: string) =>
	({
		itemIndex,
		operation: GENERATE_IMAGE,
		request: { method: 'POST', path: '/api/v1/generate/', body: { prompt } },
	}) as unknown as JobSpec;

const CAT = specOf(0, 'cat');
const DOG = specOf(1, 'dog');

const ORDERED = { executionId: 'first', parameters: 'typed', request: fingerprint(CAT.request) };

const IN_DOUBT: Order & InDoubt = {
	...ORDERED,
	state: 'inDoubt',
	unknownOutcome: 'no answer',
	sent: { at: AT, prompt: 'cat' },
};

const ID = 'c0ffee00-1111-4222-8333-444455556666';

const LISTED = {
	id: ID,
	prompt: 'cat',
	status: 'processing',
	generation_type: 'image',
	created_at: new Date(AT + 1000).toISOString(),
};

const job = { id: 'j', status: { path: '/s', urlFields: {} }, creation: {}, startedAt: AT };

let accounts = 0;

/** Reconciles what the ledger has; gives it as it is then, and how often the history was read. */
async function reconciled(
	entries: Array<Order | undefined>,
	{ parameters = 'typed', list = [LISTED], executionId = 'second' } = {},
) {
	const account = `orders ${++accounts}`;
	const kept = entries.flatMap((entry, at) => (entry ? [[`0:${at}`, entry] as const] : []));
	const ledger = new Ledger(ledgerOf(Object.fromEntries(kept)), { index: 0 });
	const jobSpecs = [CAT, DOG].slice(0, entries.length);
	let reads = 0;
	const claims = new Claims();
	const run = {
		service: {
			account,
			field: () => 'ticket',
			send: async () => (reads++ ? [] : list),
		},
		clock,
		account: { claims },
		ledger,
		parameters,
		executionId,
	};
	const taken = await clock.run(reconcileOrders(run as never, jobSpecs));
	return { found: jobSpecs.map((one) => ledger.find(one.itemIndex)), reads, claims, taken };
}

const CANDIDATE = { jobId: ID, createdAt: '2026-01-01T12:00:01.000Z', prompt: 'cat' };

describe('a job of the history that may be the one', () => {
	test('is noted, and who is told of it orders anew in the execution after this one', async () => {
		const { found, claims, taken } = await reconciled([IN_DOUBT]);
		expect(found).toEqual([{ ...IN_DOUBT, candidates: [CANDIDATE], executionId: 'second' }]);
		expect(claims.has(ID)).toBe(false);
		expect(taken).toEqual([]);
	});

	test('is nothing new to a person who has been told of it', async () => {
		const told = { ...IN_DOUBT, candidates: [CANDIDATE] };
		expect((await reconciled([told])).found).toEqual([told]);
	});

	test('is, where another comes to it', async () => {
		const told = { ...IN_DOUBT, candidates: [CANDIDATE] };
		const list = [LISTED, { ...LISTED, id: 'another' }];
		const { found } = await reconciled([told], { list });
		expect(found[0]?.executionId).toBe('second');
		expect(doubtIn(found[0])?.candidates?.map(({ jobId }) => jobId)).toEqual([ID, 'another']);
	});
});

test('what the history does not show stays in doubt: a person is told that first', async () => {
	const { found } = await reconciled([IN_DOUBT], { list: [] });
	const told = { ...IN_DOUBT, candidates: [], executionId: 'second' };
	expect(found).toEqual([told]);
	expect((await reconciled([told], { list: [], executionId: 'third' })).found).toEqual([told]);
});

test('a job that its answer names, where the credential says how, is not looked for', async () => {
	const named: Order & InDoubt = { ...IN_DOUBT, answer: '{"ticket":"t1"}', isAccepted: true };
	const { found, reads, claims, taken } = await reconciled([named]);
	const itsJob = { id: 't1', creation: { ticket: 't1' }, startedAt: AT };
	expect(found).toEqual([{ ...ORDERED, state: 'running', job: expect.objectContaining(itsJob) }]);
	expect(claims.has('t1')).toBe(true);
	expect(taken).toEqual([{ itemIndex: 0, jobId: 't1' }]);
	expect(reads).toBe(0);
});

test('an answer names one order, the history is asked for the other', async () => {
	const named: Order & InDoubt = { ...IN_DOUBT, answer: '{"ticket":"t1"}', isAccepted: true };
	const dog: Order & InDoubt = { ...IN_DOUBT, request: 'dog', sent: { at: AT, prompt: 'dog' } };
	const list = [{ ...LISTED, prompt: 'dog' }];
	const { found } = await reconciled([named, dog], { list });
	expect(jobOf(found[0])?.id).toBe('t1');
	expect(doubtIn(found[1])?.candidates?.map(({ jobId }) => jobId)).toEqual([ID]);
});

test.each<[string, Partial<InDoubt>]>([
	['was refused', { answer: '{"ticket":"t1"}', isAccepted: false }],
	['is no JSON', { answer: 'ticket t1', isAccepted: true }],
	['was lost', { isAccepted: true }],
	['names no job', { answer: '{"ok":true}', isAccepted: true }],
])('the history is asked where the answer %s', async (_, answered) => {
	const { found } = await reconciled([{ ...IN_DOUBT, ...answered }]);
	expect(doubtIn(found[0])?.candidates).toEqual([CANDIDATE]);
});

test.each<[string, Order | undefined, string]>([
	['was never made', undefined, 'typed'],
	['has its job', { ...ORDERED, state: 'running', job }, 'typed'],
	['was never sent', { ...ORDERED, state: 'inDoubt', unknownOutcome: 'no answer' }, 'typed'],
	['a person has changed', { ...IN_DOUBT, request: 'other' }, 'typed otherwise'],
])('an order that %s is left alone', async (_, entry, parameters) => {
	const { found, reads } = await reconciled([entry], { parameters });
	expect(found).toEqual([entry]);
	expect(reads).toBe(0);
});
