import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { searchExecutions } from '../../../nodes/shared/execute/searchExecutions.ts';
import {
	type Because,
	forgetExecution,
	noteExecution,
} from '../../../nodes/shared/run/knownExecutions.ts';
import { ledgerOf } from '../../../nodes/shared/jobs/ledger.ts';
import type { Order } from '../../../nodes/shared/jobs/order.ts';
import { takeUpPaidJobs } from '../../../nodes/shared/run/paidJobs.ts';
import type { Run } from '../../../nodes/shared/run/run.ts';
import { accountId } from '../../../nodes/shared/limits/perAccount.ts';

/** Executions to be picked, as n8n's resource locator lists them. */

const BASE_URL = 'https://service.example';

interface Told {
	executionId: string;
	workflowId: string;
	node?: string;
	key?: string;
	at?: number;
}

function note({ executionId, workflowId, node = 'Make', key = 'key', at = 0 }: Told, as: Because) {
	const context = { getNode: () => ({ name: node }), getWorkflow: () => ({ id: workflowId }) };
	const service = { account: accountId(BASE_URL, key) };
	const clock = { now: () => Date.UTC(2026, 4, 1, 8, at) };
	noteExecution({ context, executionId, service, clock } as unknown as Run, as, 5);
}

/** Asks for the list, in the panel of a node in that workflow. */
async function list(
	workflowId: unknown,
	{ filter, key = 'key' }: { filter?: string; key?: string } = {},
) {
	const context = {
		getCredentials: async () => ({ baseUrl: BASE_URL, apiKey: key }),
		getCurrentNodeParameter: () => workflowId,
		getNode: () => ({ name: 'Temp-Node' }),
		getTimezone: () => 'UTC',
	};
	return await searchExecutions.call(context as unknown as ILoadOptionsFunctions, filter);
}

const names = async (...given: Parameters<typeof list>) =>
	(await list(...given)).results.map(({ name }) => name);

test('an entry has number, what became of it, jobs, time and node; its value is the number', async () => {
	note({ executionId: '1', workflowId: 'one' }, 'stopped');
	expect((await list('one')).results).toEqual([
		{ name: '1 · stopped · 5 jobs · 2026-05-01 08:00 (UTC) · Make', value: '1' },
	]);
});

test('the newest comes first, each execution once, with all nodes that have told of it', async () => {
	note({ executionId: '2', workflowId: 'two', at: 1 }, 'failed');
	note({ executionId: '3', workflowId: 'two', at: 2 }, 'stopped');
	note({ executionId: '3', workflowId: 'two', at: 3, node: 'Other' }, 'stopped');
	note({ executionId: '4', workflowId: 'two', at: 4 }, 'waits');
	expect(await names('two')).toEqual([
		'4 · waits · 5 jobs · 2026-05-01 08:04 (UTC) · Make',
		'3 · stopped · 10 jobs · 2026-05-01 08:03 (UTC) · Make, Other',
		'2 · failed · 5 jobs · 2026-05-01 08:01 (UTC) · Make',
	]);
	expect(await names('two', { filter: 'WAITS' })).toHaveLength(1);
});

test('one whose jobs are handed on is there no more', async () => {
	note({ executionId: '5', workflowId: 'five' }, 'waits');
	note({ executionId: '6', workflowId: 'five' }, 'failed');
	forgetExecution({ executionId: '5', workflowId: 'five', node: 'Make' });
	expect(await names('five')).toEqual([expect.stringMatching(/^6 /)]);
});

test('one that is retried is there no more, since its retry has its jobs', async () => {
	note({ executionId: '7', workflowId: 'seven' }, 'failed');
	note({ executionId: '8', workflowId: 'seven' }, 'failed');
	const memory = ledgerOf({ '0:0': { executionId: '7' } as Order });
	const context = {
		getContext: () => memory,
		getNode: () => ({ name: 'Make' }),
		getWorkflow: () => ({ id: 'seven' }),
	};
	takeUpPaidJobs({ context, executionId: '9' } as unknown as Run);
	expect(await names('seven')).toEqual([expect.stringMatching(/^8 /)]);
});

test('nobody sees those of another workflow, or of another account', async () => {
	note({ executionId: '7', workflowId: 'seven' }, 'stopped');
	const none = 'This n8n has seen no execution of this workflow with paid jobs since it started';
	await expect(list('eight')).rejects.toMatchObject({
		message: none,
		description: expect.stringContaining('By ID'),
	});
	await expect(list('seven', { key: 'other' })).rejects.toThrow(none);
});

test('where the editor does not say which workflow it is, all of the account are there', async () => {
	note({ executionId: '9', workflowId: 'nine', key: 'nine' }, 'stopped');
	for (const unsaid of [undefined, '', '={{ $workflow.id }}'])
		expect(await names(unsaid, { key: 'nine' })).toHaveLength(1);
});
