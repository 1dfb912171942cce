import type { IDataObject } from 'n8n-workflow';

import { JobError } from '../../../nodes/shared/orders/job.ts';
import type { Order } from '../../../nodes/shared/orders/order.ts';
import type { ItemPlan, Run } from '../../../nodes/shared/run/run.ts';
import { failure } from '../../../nodes/shared/run/tell.ts';
import { ServiceError, ERROR_TEXTS } from '../../../nodes/shared/service/serviceError.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';
import { toldBy } from '../../support/toldBy.mts';

type Ordered = Pick<Order, 'outcome'>;

/** A run whose rows all have this order, and these before it. */
const runWith = (order?: Ordered, earlier: Ordered[] = []) =>
	({
		context: { getNode: () => ({ name: 'MediaGen', type: 'x', parameters: {} }) },
		orders: { find: () => order, earlierOf: () => earlier, rest: [] },
	}) as unknown as Run;

/** The error of a run tells of the jobs of its other items, whatever their records have in them. */
test.each<[IDataObject, string]>([
	[{ jobId: 'j1', mediaUrls: ['https://a/b.png'] }, 'job j1 https://a/b.png'],
	[{ jobId: 'j1', mediaUrls: 5, status: 'completed' }, 'job j1 completed'],
	[{ jobId: 'j1', mediaUrls: [{ toString: 1 }, 'https://a/b.png'] }, 'job j1 https://a/b.png'],
])('beside an item with %j', (json, told) => {
	const plan = { itemIndex: 0, operation: GENERATE_IMAGE, values: {}, request: {} } as ItemPlan;
	const results = [{ value: [{ json }] }, { error: new Error('The service denied access') }];
	const plans = [{ value: plan }, { value: { ...plan, itemIndex: 1 } }];
	const { message, messages } = failure(runWith(), plans, results);
	expect(message).toBe('1 of 2 failed: row 2: The service denied access');
	expect(messages).toEqual([`Row 1: ${told}`]);
});

test('of the other rows, a line each has all identifiers and all URLs', () => {
	const rows = Array.from({ length: 20 }, (_, itemIndex) => itemIndex);
	const results = rows.map((index) =>
		index === 2
			? { error: new Error('The service denied access') }
			: { value: [{ json: { jobId: `j${index}`, mediaUrls: [`https://a/${index}.png`] } }] },
	);
	const plans = rows.map((itemIndex) => {
		const values = { prompt: `Loaf ${itemIndex} on a table in the morning light` };
		return {
			value: { itemIndex, operation: GENERATE_IMAGE, values, request: {} } as unknown as ItemPlan,
		};
	});
	const { message, description, messages } = failure(runWith(), plans, results);
	expect(message).toBe(
		'1 of 20 failed: row 3, "Loaf 2 on a table in the morning light": The service denied access',
	);
	expect(description).toContain('The others: 19 finished.');
	expect(description).toContain('with Retry (the bent arrow)');
	expect(messages).toHaveLength(19);
	expect(messages[0]).toBe(
		'Row 1, "Loaf 0 on a table in the morning light": job j0 https://a/0.png',
	);
	expect(messages[18]).toContain('Row 20, ');
	expect(messages[18]).toContain('job j19 https://a/19.png');
});

/** All that is told of a run whose rows have this order, and these before it. */
function told(error: Error, order?: Ordered, earlier?: Ordered[]): string {
	const plan = { itemIndex: 0, operation: GENERATE_IMAGE, values: {}, request: {} } as ItemPlan;
	const run = runWith(order, earlier);
	const alike = Object.create(error) as Error;
	return toldBy(failure(run, [{ value: plan }, { value: plan }], [{ error }, { error: alike }]));
}

const paid = (id: string): Ordered => ({
	outcome: { state: 'running', job: { id, creation: {}, startedAt: 0, status: { unknown: '' } } },
});

const lost = (why: string, ...ids: string[]): Ordered => {
	const mayBe = ids.map((jobId) => ({ jobId, createdAt: null, prompt: '' }));
	return { outcome: { state: 'unknown', why, ...(ids.length > 0 && { mayBe }) } };
};

test('a short identifier is not taken for named by a text that has it in a word', () => {
	expect(told(new Error('must be one of 1:1, 3:2'), paid('3'))).toContain(
		'An earlier try of this item has paid for job 3.',
	);
});

test('the job that the error is about is not named again', () => {
	const seen = { id: '3', creation: {}, state: undefined, record: {}, waitedMs: 0 };
	const error = new JobError('lost', 'Job 3 (task 7) is lost', '', seen);
	expect(told(error, paid('3'))).not.toContain('An earlier try');
	expect(told(new Error('Job 3 failed: no'), paid('3'))).not.toContain('An earlier try');
});

test('beside another row, a refusal is not taken for what became of an earlier order', () => {
	const refused = new ServiceError({ ...ERROR_TEXTS[402], outcome: 'refused' });
	expect(told(refused, paid('3'))).toContain(
		`Row 1: ${refused.message}. An earlier try of this item has paid for job 3`,
	);
	expect(told(refused, lost('No answer', 'j7'))).toContain(
		`Row 1: ${refused.message}. An earlier try of this item: No answer (it may be job j7)`,
	);
});

test('what stays paid for is told apart from what may be', () => {
	const earlier = [paid('a'), lost('no answer'), paid('b')];
	expect(told(new Error('The service denied access'), undefined, earlier)).toContain(
		'An earlier job of this item was charged, too: job a; an earlier creation may also have been paid for: no answer (a job may exist); an earlier job of this item was charged, too: job b.',
	);
});

test('beside another row, a lost creation says that a job may exist', () => {
	const message = 'The connection to the service broke off before the answer';
	const error = new ServiceError({ message, description: '', outcome: 'unknown' });
	expect(told(error, lost(message))).toContain(`${message} (a job may exist)`);
});

test('the message of a batch is cut like that of a single row', () => {
	const error = new Error(`The service denied access: ${'x'.repeat(1_000_000)}`);
	const { message } = failure(runWith(), [{ error }, { error: new Error('Prompt is empty') }]);
	expect(message).toMatch(/^2 of 2 failed: row 1: The service denied access: x+…$/);
	expect(message.length).toBeLessThan(5000);
});

test('a way back is not offered where a row is in doubt: a retry may order that again', () => {
	const plan = { value: { operation: GENERATE_IMAGE, values: {}, request: {} } as ItemPlan };
	const results = [{ error: new Error('The service denied access') }, { value: [] }];
	const text = (order: Ordered) => failure(runWith(order), [plan, plan], results).description;
	expect(text(paid('3'))).toContain('with Retry (the bent arrow)');
	expect(text(lost('no answer'))).not.toContain('with Retry');
});
