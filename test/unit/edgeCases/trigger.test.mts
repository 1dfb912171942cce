import type { IDataObject } from 'n8n-workflow';

import { nightly } from '../../support/sampled.mts';
import { ended, going, many, MINUTE_MS, watching } from '../trigger/watching.mts';

const HOUR_MS = 60 * MINUTE_MS;

/** Waits for a job of so many hours in that n8n. */
function waitForJob({ n8n, state }: ReturnType<typeof watching>, hours: number): void {
	state.settings.jobMs = { min: hours * HOUR_MS, max: hours * HOUR_MS };
	const parameters = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'a kite' };
	const options = { timeout: 80_000 };
	void n8n.execute({ items: [{}], parameters: { ...parameters, options } });
}

describe('no job is lost', () => {
	it('that ends while its trigger is given another name', async () => {
		const { list, activate, edit, workflow, poll, ids } = watching({ everyMinutes: 10 });
		list(going('long'));
		await activate();
		const first = ended('first');
		list(first, going('long'));
		await poll(15);
		expect(ids()).toEqual(['first']);
		list(ended('long'), first);
		// n8n keeps static data by the name of the node.
		workflow.stored = '{}';
		await edit({});
		await poll(20);
		expect(ids()).toEqual(['first', 'long']);
	});

	it.each([0, '-', 'none'])('for a task_id of %j that all entries have', async (task_id) => {
		const { list, activate, poll, ids } = watching();
		list(ended('before', { task_id }));
		await activate();
		list(ended('b', { task_id }), ended('a', { task_id }), ended('before', { task_id }));
		await poll(3);
		expect(ids().sort()).toEqual(['a', 'b']);
	});
});

it('a job whose entry has another identifier when it has ended is told of once', async () => {
	const { list, activate, poll, ids } = watching();
	list({ task_id: 't1', status: 'processing' });
	await activate();
	await poll();
	list(ended('g1', { task_id: 't1' }));
	await poll(5);
	expect(ids()).toEqual(['g1']);
});

nightly(
	'on an account of ten requests an hour, a person is told of a job beside another that is waited for, or that it cannot be',
	async () => {
		const trigger = watching({ credential: { accountKind: 'demo' } });
		trigger.list();
		await trigger.activate();
		waitForJob(trigger, 24);
		await trigger.clock.advance(HOUR_MS);
		trigger.list(ended('new'));
		await trigger.clock.advance(20 * HOUR_MS);
		const { failures, messages, items } = trigger.workflow;
		expect(failures.length + messages.length + items.length).toBeGreaterThan(0);
	},
);

nightly('a list of 1,500 jobs without times is read while a job is waited for', async () => {
	const trigger = watching();
	const { list, polling, clock } = trigger;
	const jobs = many(1500, (index) => ended(`old${index}`));
	list(...jobs);
	polling.add();
	for (const each of polling.workflows) await clock.run(each.activate());
	waitForJob(trigger, 3);
	await clock.advance(MINUTE_MS);
	list(ended('new'), ...jobs);
	await clock.advance(HOUR_MS);
	for (const { items } of polling.workflows) {
		expect(items.map(({ json }) => json.jobId)).toEqual(['new']);
	}
});

it.each<IDataObject>([
	{ options: null },
	{ options: 'text' },
	{ options: [] },
	{ options: { simplify: null } },
	{ options: { resultField: { a: 1 } } },
	{ downloadMedia: 'yes' },
	{ downloadMedia: [true] },
])('of %j a person reads what it is about, or nothing is wrong', async (evaluated) => {
	const { activate, list, poll, ids, workflow } = watching({ evaluated });
	list();
	const error = await activate().catch((caught: unknown) => caught as Error);
	if (error) {
		const { message, description } = error as Error & { description: string };
		expect(`${message} ${description}`).not.toMatch(/undefined|\[object|TypeError|Cannot read/);
		return;
	}
	list(ended('a'));
	await poll(2);
	expect([ids(), workflow.failures]).toEqual([['a'], []]);
});
