import type { IDataObject } from 'n8n-workflow';

import { ended, going, watching } from '../trigger/watching.mts';

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
