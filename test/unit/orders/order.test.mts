import type { Job } from '../../../nodes/shared/orders/job.ts';
import {
	adviceOf,
	orderAfter,
	type Order,
	type OrderEvent,
} from '../../../nodes/shared/orders/order.ts';

/** What an order becomes, by each event. */

const jobNamed = (id: string): Job => ({
	id,
	status: { path: '/s', urlFields: {} },
	creation: {},
	startedAt: 0,
});

const job = jobNamed('a');
const made = { executionId: 'first', request: 'r', parameters: 'p' };
const by = { executionId: 'second', request: 'r2', parameters: 'p2' };
const sent = { at: 1, prompt: 'cat' };

const STATES: Record<string, Order | undefined> = {
	planned: undefined,
	running: { state: 'running', job, ...made },
	ended: { state: 'ended', job, ended: 'failed', ...made },
	'in doubt': { state: 'inDoubt', unknownOutcome: 'no answer', sent, ...made },
};

const candidates = [{ jobId: 'c', createdAt: null, prompt: 'cat' }];

const EVENTS: Record<string, OrderEvent> = {
	created: { kind: 'created', job: jobNamed('b') },
	lost: { kind: 'lost', unknownOutcome: 'status 500', sent },
	ended: { kind: 'ended', job, as: 'completed' },
	named: { kind: 'named', job: jobNamed('b') },
	searched: { kind: 'searched', candidates },
};

const NEW = { state: 'running', job: jobNamed('b'), ...by };
const LOST = { state: 'inDoubt', unknownOutcome: 'status 500', sent, ...by };
// Whoever has waited for it has not sent it.
const ENDED = { state: 'ended', job, ended: 'completed', ...by, request: made.request };
const first = { replaced: [{ job: 'a' }] };
const doubt = { replaced: [{ unknownOutcome: 'no answer' }] };

test.each<[string, string, object | undefined]>([
	['planned', 'created', NEW],
	['planned', 'lost', LOST],
	['planned', 'ended', undefined],
	['planned', 'named', undefined],
	['planned', 'searched', undefined],
	['running', 'created', { ...NEW, ...first }],
	['running', 'lost', { ...LOST, ...first }],
	['running', 'ended', ENDED],
	['running', 'named', undefined],
	['running', 'searched', undefined],
	['ended', 'created', { ...NEW, ...first }],
	['ended', 'lost', { ...LOST, ...first }],
	['ended', 'ended', ENDED],
	['ended', 'named', undefined],
	['ended', 'searched', undefined],
	['in doubt', 'created', { ...NEW, ...doubt }],
	['in doubt', 'lost', { ...LOST, ...doubt }],
	['in doubt', 'ended', undefined],
	// As it was ordered, by the execution that has ordered it.
	['in doubt', 'named', { ...NEW, ...made }],
	['in doubt', 'searched', { ...STATES['in doubt'], candidates, executionId: 'second' }],
])('%s, then %s', (state, event, expected) => {
	const happen = () => orderAfter(STATES[state], EVENTS[event]!, by);
	if (expected) expect(happen()).toEqual(expected);
	else expect(happen).toThrow(`cannot be ${event}`);
});

test('what was replaced stays named, whatever happens next', () => {
	const replaced = [{ job: 'old' }];
	const after = (before: Order, event: string) => orderAfter(before, EVENTS[event]!, by).replaced;
	const running = { ...STATES.running!, replaced };
	const inDoubt = { ...STATES['in doubt']!, replaced };
	expect(after(running, 'ended')).toEqual(replaced);
	expect(after(inDoubt, 'named')).toEqual(replaced);
	expect(after(inDoubt, 'searched')).toEqual(replaced);
	expect(after(running, 'created')).toEqual([{ job: 'old' }, { job: 'a' }]);
});

test('of two jobs that are one order, such as equal calls of an agent, each stays named', () => {
	const end = { kind: 'ended', job: jobNamed('b'), as: 'completed' } as const;
	expect(orderAfter(STATES.running, end, by)).toMatchObject({
		job: { id: 'b' },
		replaced: [{ job: 'a' }],
	});
});

test('the same job, told of again, replaces nothing', () => {
	expect(orderAfter(STATES.running, { kind: 'created', job }, by)).toEqual({
		state: 'running',
		job,
		...by,
	});
});

test.each<[order: string, of: Order, advice: object]>([
	['runs', STATES.running!, { charged: 'yes', retry: 'waitForJob' }],
	['failed', STATES.ended!, { charged: 'yes', retry: 'paysAgain' }],
	[
		'completed, and its result is not there',
		{ ...STATES.ended!, ended: 'completed' } as Order,
		{ charged: 'yes', retry: 'waitForJob' },
	],
	['is in doubt', STATES['in doubt']!, { charged: 'unknown', retry: 'lookFirst' }],
])('what a retry comes to where a job %s', (_, of, advice) => {
	expect(adviceOf(of)).toEqual(advice);
});
