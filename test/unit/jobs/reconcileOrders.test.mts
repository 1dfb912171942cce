import { claimsOf } from '../../../nodes/shared/jobs/claims.ts';
import { fingerprint } from '../../../nodes/shared/jobs/fingerprint.ts';
import type { JobSpec } from '../../../nodes/shared/jobs/jobContext.ts';
import { type Entry, Ledger } from '../../../nodes/shared/jobs/ledger.ts';
import { PendingPrompts } from '../../../nodes/shared/jobs/pendingPrompts.ts';
import { reconcileOrders } from '../../../nodes/shared/jobs/reconcile.ts';
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

const IN_DOUBT: Entry = {
	...ORDERED,
	unknownOutcome: 'no answer',
	sent: { at: AT, prompt: 'cat' },
};

const LISTED = {
	id: 'c',
	prompt: 'cat',
	status: 'processing',
	generation_type: 'image',
	created_at: new Date(AT + 1000).toISOString(),
};

const job = { id: 'j', status: { path: '/s', urlFields: {} }, creation: {}, startedAt: AT };

let accounts = 0;

/** Reconciles what the ledger has; gives it as it is then, and how often the history was read. */
async function reconciled(
	entries: Array<Entry | undefined>,
	{ parameters = 'typed', list = [LISTED] } = {},
) {
	const account = `orders ${++accounts}`;
	const ledger = new Ledger({}, { index: 0 });
	const jobSpecs = [CAT, DOG].slice(0, entries.length);
	for (const [at, entry] of entries.entries())
		if (entry) ledger.remember(at, jobSpecs[at]!.request, entry);
	let reads = 0;
	const claims = claimsOf(account, clock);
	const run = {
		service: {
			account,
			field: () => 'ticket',
			send: async () => (reads++ ? [] : list),
		},
		clock,
		account: { claims, pending: new PendingPrompts(), unfinishedShown: new Set<string>() },
		ledger,
		parameters,
	};
	await clock.run(reconcileOrders(run as never, jobSpecs));
	return { found: jobSpecs.map((one) => ledger.find(one.itemIndex)), reads, claims };
}

test('the job that the history lists takes the place of the doubt', async () => {
	const { found, claims } = await reconciled([IN_DOUBT]);
	expect(found).toEqual([{ ...ORDERED, job: expect.objectContaining({ id: 'c' }) }]);
	expect(claims.has('c')).toBe(true);
});

test('what the history does not show stays in doubt', async () => {
	const { found } = await reconciled([IN_DOUBT], { list: [] });
	expect(found).toEqual([IN_DOUBT]);
});

test('a job that its answer names, where the credential says how, is not looked for', async () => {
	const named: Entry = { ...IN_DOUBT, answer: '{"ticket":"t1"}', isAccepted: true };
	const { found, reads, claims } = await reconciled([named]);
	const itsJob = { id: 't1', creation: { ticket: 't1' }, startedAt: AT };
	expect(found).toEqual([{ ...ORDERED, job: expect.objectContaining(itsJob) }]);
	expect(claims.has('t1')).toBe(true);
	expect(reads).toBe(0);
});

test('an answer names one order, the history the other', async () => {
	const named: Entry = { ...IN_DOUBT, answer: '{"ticket":"t1"}', isAccepted: true };
	const dog: Entry = { ...IN_DOUBT, request: 'dog', sent: { at: AT, prompt: 'dog' } };
	const list = [{ ...LISTED, prompt: 'dog' }];
	const { found } = await reconciled([named, dog], { list });
	expect(found.map((entry) => entry?.job?.id)).toEqual(['t1', 'c']);
});

test.each<[string, Entry]>([
	['was refused', { answer: '{"ticket":"t1"}', isAccepted: false }],
	['is no JSON', { answer: 'ticket t1', isAccepted: true }],
	['was lost', { isAccepted: true }],
	['names no job', { answer: '{"ok":true}', isAccepted: true }],
])('the history is asked where the answer %s', async (_, answered) => {
	const { found } = await reconciled([{ ...IN_DOUBT, ...answered }]);
	expect(found[0]?.job?.id).toBe('c');
});

test.each<[string, Entry | undefined, string]>([
	['was never made', undefined, 'typed'],
	['has its job', { ...IN_DOUBT, job }, 'typed'],
	['was never sent', { ...ORDERED, unknownOutcome: 'no answer' }, 'typed'],
	['a person has changed', { ...IN_DOUBT, request: 'other' }, 'typed otherwise'],
])('an order that %s is left alone', async (_, entry, parameters) => {
	const { found, reads } = await reconciled([entry], { parameters });
	expect(found).toEqual([entry]);
	expect(reads).toBe(0);
});
