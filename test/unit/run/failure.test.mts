import type { IDataObject } from 'n8n-workflow';

import { JobError } from '../../../nodes/shared/orders/job.ts';
import { failure } from '../../../nodes/shared/run/errors.ts';
import type { ItemPlan, Run } from '../../../nodes/shared/run/run.ts';
import { STATUS_TEXTS } from '../../../nodes/shared/service/errorTexts.ts';
import { ServiceError } from '../../../nodes/shared/service/serviceError.ts';
import { GENERATE_IMAGE } from '../../../nodes/shared/spec/images.ts';
import { toldBy } from '../../support/toldBy.mts';

/** The error of a run tells of the jobs of its other items, whatever their records have in them. */
test.each<[IDataObject, string]>([
	[{ jobId: 'j1', mediaUrls: ['https://a/b.png'] }, 'job j1 https://a/b.png'],
	[{ jobId: { toString: 1 }, mediaUrls: 5, id: 'j1', status: 'completed' }, 'job j1 completed'],
	[{ id: 'j1', mediaUrls: [{ toString: 1 }, 'https://a/b.png'] }, 'job j1 https://a/b.png'],
])('beside an item with %j', (json, told) => {
	const run = {
		context: { getNode: () => ({ name: 'MediaGen', type: 'x', parameters: {} }) },
		ledger: { find: () => undefined },
	} as unknown as Run;
	const plan = { itemIndex: 0, operation: GENERATE_IMAGE, values: {}, request: {} } as ItemPlan;
	const results = [{ value: [{ json }] }, { error: new Error('The service denied access') }];
	const plans = [{ value: plan }, { value: { ...plan, itemIndex: 1 } }];
	const { message, messages } = failure(run, plans, results);
	expect(message).toBe('1 of 2 failed: row 2: The service denied access');
	expect(messages).toEqual([`Row 1: ${told}`]);
});

test('of the other rows, a line each has all identifiers and all URLs', () => {
	const run = {
		context: { getNode: () => ({ name: 'MediaGen', type: 'x', parameters: {} }) },
		ledger: { find: () => undefined },
	} as unknown as Run;
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
	const { message, description, messages } = failure(run, plans, results);
	expect(message).toBe(
		'1 of 20 failed: row 3, "Loaf 2 on a table in the morning light": The service denied access',
	);
	expect(description).toContain('The others: 19 finished.');
	expect(description).toContain('Retry with currently saved workflow');
	expect(messages).toHaveLength(19);
	expect(messages[0]).toBe(
		'Row 1, "Loaf 0 on a table in the morning light": job j0 https://a/0.png',
	);
	expect(messages[18]).toContain('Row 20, ');
	expect(messages[18]).toContain('job j19 https://a/19.png');
});

/** All that is told of a run whose only item, or whose second, has this entry in the ledger. */
function told(entry: object, error: Error): string {
	const run = {
		context: { getNode: () => ({ name: 'MediaGen', type: 'x', parameters: {} }) },
		ledger: { find: () => entry },
	} as unknown as Run;
	const plan = { itemIndex: 0, operation: GENERATE_IMAGE, values: {}, request: {} } as ItemPlan;
	return toldBy(failure(run, [{ value: plan }, { value: plan }], [{ error }, { error }]));
}

const job = { id: '3', creation: {}, startedAt: 0 };

test('a short identifier is not taken for named by a text that has it in a word', () => {
	expect(told({ job }, new Error('must be one of 1:1, 3:2'))).toContain(
		'An earlier try of this item has paid for job 3.',
	);
});

test('the job that the error is about is not named again', () => {
	const seen = { ...job, state: undefined, record: {}, waitedMs: 0 };
	expect(told({ job }, new JobError('lost', 'Job 3 (task 7) is lost', '', seen))).not.toContain(
		'An earlier try',
	);
	expect(told({ job }, new Error('Job 3 failed: no'))).not.toContain('An earlier try');
});

test('beside another row, a refusal is not taken for what became of an earlier order', () => {
	const refused = new ServiceError({ ...STATUS_TEXTS[402], outcome: 'refused' });
	expect(told({ job }, refused)).toContain(
		`Row 1: ${refused.message}. An earlier try of this item has paid for job 3`,
	);
	const lost = { state: 'inDoubt', unknownOutcome: 'No answer', candidates: [{ jobId: 'j7' }] };
	expect(told(lost, refused)).toContain(
		`Row 1: ${refused.message}. An earlier try of this item: No answer (it may be job j7)`,
	);
});

test('what stays paid for is told apart from what may be', () => {
	const replaced = [{ job: 'a' }, { unknownOutcome: 'no answer' }, { job: 'b' }];
	expect(told({ replaced }, new Error('The service denied access'))).toContain(
		'Earlier jobs of this item were charged, too: jobs a, b; an earlier creation may also have been paid for (no answer).',
	);
});

test('beside another row, a lost creation says that a job may exist', () => {
	const unknownOutcome = 'The connection to the service broke off before the answer';
	const lost = { state: 'inDoubt', unknownOutcome };
	expect(
		told(lost, new ServiceError({ message: unknownOutcome, description: '', outcome: 'unknown' })),
	).toContain(`${unknownOutcome} (a job may exist)`);
});

test('the message of a batch is cut like that of a single row', () => {
	const run = {
		context: { getNode: () => ({ name: 'MediaGen', type: 'x', parameters: {} }) },
		ledger: { find: () => undefined },
	} as unknown as Run;
	const error = new Error(`The service denied access: ${'x'.repeat(1_000_000)}`);
	const { message } = failure(run, [{ error }, { error }]);
	expect(message).toMatch(/^2 of 2 failed: row 1: The service denied access: x+…$/);
	expect(message.length).toBeLessThan(5000);
});

test('a way back is not offered where a row is in doubt: a retry may order that again', () => {
	const run = (entry: object) =>
		({
			context: { getNode: () => ({ name: 'MediaGen', type: 'x', parameters: {} }) },
			ledger: { find: () => entry },
		}) as unknown as Run;
	const plan = { value: { operation: GENERATE_IMAGE, values: {}, request: {} } as ItemPlan };
	const results = [{ error: new Error('The service denied access') }, { value: [] }];
	const text = (entry: object) => failure(run(entry), [plan, plan], results).description;
	expect(text({ state: 'running', job })).toContain('Retry with currently saved workflow');
	expect(text({ state: 'inDoubt', unknownOutcome: 'no answer' })).not.toContain('Retry with');
});
