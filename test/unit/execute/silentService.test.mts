import { VirtualN8n } from '../../support/virtualRun.mts';
import { withoutLink } from '../../support/toldBy.mts';

/** What a user sees of a job that is waited for, where no look at it is ever answered. */

const WAY_BACK =
	'Read it later with Job > Wait for Completion and this ID. Or raise Options > Timeout, which counts from the creation of the job, and retry the execution: that waits for the same job. A new run pays for a new one.';

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
	expect(error?.message).toBe(
		'The service did not tell within 1 seconds whether job gen-1 has finished',
	);
	expect(withoutLink(error?.description)).toBe(
		`The job is paid for and may have finished since. The last status check failed: ${met}. ${WAY_BACK}`,
	);
	expect(items).toEqual([]);
	// Of virtual time: half a minute more than asked for, and no more.
	expect(Math.round((endedAt - startedAt) / 1000)).toBeLessThanOrEqual(33);
});
