import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** Job > Get Status of a job that the status of any generation does not know. */

async function read(operation: string, statuses: Record<string, number>) {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 4000, max: 4000 } } });
	const image = { resource: 'image', operation: 'generate', size: '1:1', prompt: 'a kite' };
	const parameters = { ...image, waitForCompletion: false };
	await n8n.clock.run(n8n.execute({ items: [{}], parameters }));
	await n8n.clock.run(n8n.clock.sleep(5000));
	const { id } = n8n.state.jobs.list[0]!;
	for (const [kind, status] of Object.entries(statuses)) {
		const match = { kind } as FaultRuleInput['match'];
		n8n.state.faults.add({ match, fault: { kind: 'status', status } });
	}
	const job = { resource: 'job', operation, jobId: id };
	const { items, error } = await n8n.clock.run(n8n.execute({ items: [{}], parameters: job }));
	return { item: items[0]?.json, error, id };
}

test.each(['get', 'wait'])(
	'%s: it is read in the history, where that has it',
	async (operation) => {
		const { item, error, id } = await read(operation, { status: 404 });
		expect(error).toBeUndefined();
		expect(item).toMatchObject({ jobId: id, status: 'completed' });
		expect(item?.mediaUrl).toMatch(/^https?:/);
	},
);

test.each(['get', 'wait'])(
	'%s: where that has it not, the first error counts',
	async (operation) => {
		const { error } = await read(operation, { status: 404, list: 404 });
		expect(error?.message).toContain('The service does not know this address or identifier');
	},
);

test('an error of the history is the error', async () => {
	const { error } = await read('get', { status: 404, list: 403 });
	expect(error).toMatchObject({ httpCode: '403' });
});
