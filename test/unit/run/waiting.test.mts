import type { IDataObject } from 'n8n-workflow';

import type { Fault } from '../../../sandbox/faults.mts';
import { withoutLink } from '../../support/toldBy.mts';
import { IMAGE } from '../../support/virtualImages.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** A job is waited for: Timeout is kept, whatever is answered, and what the service says of the job is told. */

const SECOND = 1000;
const HOUR_S = 3600;

/** The time that is given besides while no look is answered, and that a request may take, s. */
const GRACE_S = 30;
const REQUEST_S = 30;

const account = (jobSeconds: number, settings: object = {}, credential: IDataObject = {}) =>
	new VirtualN8n(
		{ settings: { jobMs: { min: jobSeconds * SECOND, max: jobSeconds * SECOND }, ...settings } },
		credential,
	);

const run = async (n8n: VirtualN8n, timeout: number, more: object = {}) =>
	await n8n.run({ items: [{}], parameters: { ...IMAGE, options: { timeout } }, ...more });

const answersAll = (n8n: VirtualN8n, fault: Fault) => {
	for (const kind of ['status', 'list'] as const) n8n.state.faults.add({ match: { kind }, fault });
};

describe('Timeout', () => {
	test.each<[string, Fault]>([
		['500', { kind: 'status', status: 500 }],
		['429', { kind: 'status', status: 429 }],
		['429, asked to wait', { kind: 'status', status: 429, headers: { 'retry-after': '300' } }],
		['a redirect', { kind: 'status', status: 302, headers: { location: 'https://a.example/' } }],
		['no answer', { kind: 'hang' }],
	])('is kept where all looks meet %s', async (_, fault) => {
		const n8n = account(HOUR_S);
		answersAll(n8n, fault);
		const { error, startedAt, endedAt } = await run(n8n, 5);
		expect(error?.message).toContain('within 5 seconds');
		expect((endedAt - startedAt) / SECOND).toBeLessThanOrEqual(5 + GRACE_S + REQUEST_S);
	});

	test.each<[string, Fault | undefined]>([
		['is answered', undefined],
		['meets a 503', { kind: 'status', status: 503 }],
		['meets a 429', { kind: 'status', status: 429, headers: { 'retry-after': '5' } }],
		['meets a 404', { kind: 'status', status: 404 }],
		['meets a reset', { kind: 'reset' }],
	])('loses no job that has ended just before, where the last look %s', async (_, fault) => {
		const n8n = account(19.9);
		void n8n.clock.sleep(19 * SECOND).then(() => fault && answersAll(n8n, fault));
		void n8n.clock.sleep(35 * SECOND).then(() => n8n.state.faults.clear());
		const { items, error } = await run(n8n, 20);
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.status)).toEqual(['completed']);
	});
});

test.each([
	[429, { 'retry-after': '3600' }, 'The account has reached a limit of the service'],
	[500, {}, 'The service had an internal error'],
])(
	'Job > Wait where no look is ever answered but by %i: what a person reads',
	async (status, headers, met) => {
		const n8n = new VirtualN8n();
		n8n.state.faults.add({ fault: { kind: 'status', status, headers } });
		const parameters = {
			resource: 'job',
			operation: 'wait',
			jobId: 'gen-1',
			options: { timeout: 1 },
		};
		const { error, items } = await run(n8n, 1, { parameters });
		expect(error?.message).toBe('Job gen-1 was not seen to finish within 1 seconds');
		expect(withoutLink(error?.description)).toBe(
			`The job is paid for, and may go on at the service. The last status check failed: ${met}. ` +
				'Read it with Job > Wait for Completion and this ID, or raise Options > Timeout and retry this execution.',
		);
		expect(items).toEqual([]);
	},
);

test.each([0, 20])(
	'a machine that sleeps for 20 minutes, with a network that is back %i s later, gives all of ten jobs',
	async (lateS) => {
		const asleepMs = 20 * 60 * SECOND;
		const toMs = asleepMs + (20 + lateS) * SECOND;
		const n8n = new VirtualN8n({
			outages: [{ fromMs: asleepMs, toMs, code: 'ENOTFOUND' }],
			settings: { jobMs: { min: 60 * SECOND, max: 60 * SECOND } },
		});
		void n8n.clock.sleep(20 * SECOND).then(() => n8n.clock.suspend(asleepMs));
		const items = Array.from({ length: 10 }, (_, item) => ({ item }));
		const { startedAt, endedAt, items: given, error } = await run(n8n, 600, { items });
		expect(error).toBeUndefined();
		expect(given.map(({ json }) => json.status)).toEqual(Array(10).fill('completed'));
		expect(endedAt - startedAt - asleepMs).toBeLessThan((150 + 2 * lateS) * SECOND);
		expect(n8n.state.account.charges).toHaveLength(10);
	},
);
