import type { IDataObject } from 'n8n-workflow';

import { Ledger } from '../../../nodes/shared/jobs/ledger.ts';
import { runRecord } from '../../../nodes/shared/execute/records.ts';
import type { ItemPlan, Run } from '../../../nodes/shared/run/run.ts';
import { unreadable } from '../../../nodes/shared/service/serviceError.ts';
import { CREATE_API_KEY, GET_CREDITS, UPDATE_PROFILE } from '../../../nodes/shared/spec/account.ts';
import type { RecordOperation } from '../../../nodes/shared/spec/types.ts';
import { ACCOUNT_CATALOG } from '../../../nodes/shared/spec/catalogs.ts';
import { fakeService } from '../../support/fakeService.mts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** What PUT /api/profile/ answers is not shown: whatever comes is the item. */

async function answered(operation: RecordOperation, answer: unknown) {
	const { service } = fakeService([answer]);
	const ledger = new Ledger({}, { index: 0 });
	const known = { ledger, executionId: '1', isRetry: false };
	const run = { service, ...known, clock: new VirtualClock() } as unknown as Run;
	const plan = { itemIndex: 0, request: { method: operation.method, path: '/x' } } as ItemPlan;
	const [item] = await runRecord(run, operation, plan);
	return item?.json;
}

test.each([200, 202, 204])(
	'an update answered with %i and no body gives the status',
	async (status) => {
		expect(await answered(UPDATE_PROFILE, unreadable(status, ' \n'))).toEqual({ status });
	},
);

test.each([
	[{ data: { saved: 1 } }, { saved: 1 }],
	['ok', { value: 'ok' }],
	[[1], { value: [1] }],
])('an update answered with %j', async (answer, item) => {
	expect(await answered(UPDATE_PROFILE, answer)).toEqual(item);
});

test('a page in place of an answer, and nothing where something is documented, are errors', async () => {
	await expect(answered(UPDATE_PROFILE, unreadable(200, '<html>'))).rejects.toThrow(
		'cannot be read',
	);
	for (const operation of [GET_CREDITS, CREATE_API_KEY]) {
		await expect(answered(operation, unreadable(200, ''))).rejects.toThrow('cannot be read');
	}
});

describe('what is sent of the fields that were added', () => {
	async function updated(additionalFields: object) {
		const n8n = new VirtualN8n();
		n8n.state.account.profile.watermark_text = 'old';
		const parameters = {
			resource: 'profile',
			operation: 'update',
			additionalFields,
		} as IDataObject;
		const { error } = await n8n.clock.run(
			n8n.execute({ items: [{}], catalog: ACCOUNT_CATALOG, parameters }),
		);
		const [sent] = n8n.state.journal.entries.map(({ body }) => body);
		return { sent, message: error?.message, text: n8n.state.account.profile.watermark_text };
	}

	test.each([
		[{ watermark_text: '' }, ''],
		[{ watermark_text: '', enable_watermark: true }, ''],
		[{ watermark_text: ' ' }, ' '],
		[{ watermark_text: 'new', enable_watermark: false }, 'new'],
	])('%j: all of it', async (given, text) => {
		expect(await updated(given)).toEqual({ sent: given, message: undefined, text });
	});

	test.each([null, undefined])('an expression that gives %p leaves the text', async (nothing) => {
		const given = { watermark_text: nothing, enable_watermark: true };
		expect(await updated(given)).toMatchObject({ sent: { enable_watermark: true }, text: 'old' });
		const { sent, message } = await updated({ watermark_text: nothing });
		expect(sent).toBeUndefined();
		expect(message).toContain('Enable Watermark (enable_watermark) is required');
	});
});
