import { runRecord } from '../../../nodes/shared/run/records.ts';
import type { ItemPlan, Run } from '../../../nodes/shared/run/run.ts';
import { unreadable } from '../../../nodes/shared/service/serviceError.ts';
import { CREATE_API_KEY, GET_CREDITS, UPDATE_PROFILE } from '../../../nodes/shared/spec/account.ts';
import type { RecordOperation } from '../../../nodes/shared/spec/operation.ts';
import { fakeService } from '../../support/fakeService.mts';
import { VirtualClock } from '../../support/virtualClock.mts';

/** What PUT /api/profile/ answers is not shown: whatever comes is the item. */

async function answered(operation: RecordOperation, answer: unknown) {
	const { service } = fakeService([answer]);
	const run = { service, clock: new VirtualClock() } as unknown as Run;
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
