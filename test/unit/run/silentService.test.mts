import { VirtualN8n } from '../../support/virtualRun.mts';
import { withoutLink } from '../../support/toldBy.mts';

/** What a user sees of a job that is waited for, where no look at it is ever answered. */

const WAY_BACK =
	'Read it with Job > Wait for Completion and this ID, or raise Options > Timeout and retry this execution.';

test.each([
	[429, { 'retry-after': '3600' }, 'The account has reached a limit of the service'],
	[500, {}, 'The service had an internal error'],
])('%i, all the time', async (status, headers, met) => {
	const n8n = new VirtualN8n();
	n8n.state.faults.add({ fault: { kind: 'status', status, headers } });
	const parameters = {
		resource: 'job',
		operation: 'wait',
		jobId: 'gen-1',
		options: { timeout: 1 },
	};
	const { error, items, endedAt, startedAt } = await n8n.clock.run(
		n8n.execute({ items: [{}], parameters }),
	);
	expect(error?.message).toBe('Job gen-1 was not seen to finish within 1 seconds');
	expect(withoutLink(error?.description)).toBe(
		`The job is paid for, and may go on at the service. The last status check failed: ${met}. ${WAY_BACK}`,
	);
	expect(items).toEqual([]);
	// Of virtual time: half a minute more than asked for, and no more.
	expect(Math.round((endedAt - startedAt) / 1000)).toBeLessThanOrEqual(33);
});
