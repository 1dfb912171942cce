import type { IDataObject } from 'n8n-workflow';

import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { startJob } from './tell.mts';

/** Jobs whose status path is not documented, by the trigger, wherever the service tells of them. */

const MINUTE_MS = 60_000;

type Served = NonNullable<NonNullable<SandboxSettingsInput['shapes']>['served']>;

async function told(served: Served, entries: object = {}) {
	const shapes = { served, creation: { idField: 'task_id' }, list: { entries } };
	const n8n = new VirtualN8n({ settings: { shapes } });
	const workflow = new VirtualPolling(n8n).add({ events: ['completed', 'failed'] });
	await n8n.clock.run(workflow.activate());
	const { id } = startJob(n8n.state, { made: 'vidD generate', fails: false, ms: 1000 });
	await n8n.clock.advance(15 * MINUTE_MS);
	return { n8n, id, items: workflow.items.map(({ json }) => json) };
}

test.each(['general', 'history', 'studio'] as const)(
	'%s: once, with its URL, and Job > Get Status reads the item',
	async (served) => {
		const { n8n, id, items } = await told(served);
		expect(items).toMatchObject([
			{ jobId: id, status: 'completed', mediaUrl: expect.stringContaining(id) },
		]);
		const parameters: IDataObject = { resource: 'job', operation: 'get', jobId: id };
		const options = { items, parameters, kind: 'video' as const };
		const read = await n8n.clock.run(n8n.execute(options));
		expect([read.error?.message, read.items[0]?.json.mediaUrl]).toEqual([
			undefined,
			expect.stringContaining(id),
		]);
	},
);

test('an entry without a URL, whose record nobody has: once, with what it says', async () => {
	const { id, items } = await told('history', { urls: false });
	expect(items).toMatchObject([{ jobId: id, status: 'completed', mediaUrl: null }]);
});

test('nowhere: nothing', async () => {
	expect((await told('none')).items).toEqual([]);
});
