import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { VirtualPolling } from '../../support/virtualPoll.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { startJob } from './tell.mts';

const MINUTE_MS = 60_000;

type ListShape = NonNullable<NonNullable<SandboxSettingsInput['shapes']>['list']>;

function start(list: ListShape = {}, parameters = {}) {
	const n8n = new VirtualN8n({ settings: { shapes: { list } } });
	const workflow = new VirtualPolling(n8n).add(parameters);
	const make = (made: string, fails = false, ms = 1000) =>
		startJob(n8n.state, { made: `${made} generate`, fails, ms });
	const { clock } = n8n;
	const fetchTestEvent = async () => {
		const items = await clock.run(workflow.fetchTestEvent());
		return items.map(({ json }) => json);
	};
	return { n8n, clock, workflow, make, fetchTestEvent };
}

describe('Fetch Test Event', () => {
	it.each<ListShape>([
		{},
		{ order: 'oldest' },
		{ order: 'shuffled' },
		{ entries: { urls: false } },
		{ body: 'dataResults', maxPage: 2 },
	])('gives the job that has ended last: %j', async (list) => {
		const { clock, make, fetchTestEvent } = start(list);
		const longest = make('image', false, 50_000);
		make('image');
		make('image', true, 55_000);
		make('image', false, 10 * MINUTE_MS);
		await clock.advance(MINUTE_MS);
		expect(await fetchTestEvent()).toMatchObject([
			{ jobId: longest.id, status: 'completed', mediaUrl: expect.stringContaining('https://') },
		]);
	});

	it('gives what is wished for', async () => {
		const { clock, make, fetchTestEvent } = start({}, { mediaType: 'video', events: ['failed'] });
		const wanted = make('standardVideo', true);
		for (const made of ['image', 'standardVideo']) make(made, false, 2000);
		make('image', true, 3000);
		await clock.advance(MINUTE_MS);
		expect(await fetchTestEvent()).toMatchObject([{ jobId: wanted.id, status: 'failed' }]);
	});

	it('remembers nothing: what it gives is told of again', async () => {
		const { clock, make, fetchTestEvent, workflow } = start();
		await clock.run(workflow.activate());
		const job = make('image');
		await clock.advance(2000);
		await fetchTestEvent();
		const stored = workflow.stored;
		await fetchTestEvent();
		expect(workflow.stored).toBe(stored);
		await clock.advance(2 * MINUTE_MS);
		expect(workflow.items).toMatchObject([{ json: { jobId: job.id } }]);
	});

	it('says so where the account has no such job', async () => {
		const { clock, make, fetchTestEvent } = start();
		make('image', true);
		await clock.advance(MINUTE_MS);
		await expect(fetchTestEvent()).rejects.toThrow('No job in the history fits yet');
	});

	it('does with one list where the other cannot be read, and says why where none can', async () => {
		const { n8n, clock, make, fetchTestEvent } = start();
		const job = make('image');
		await clock.advance(MINUTE_MS);
		const fault = { kind: 'status', status: 403 } as const;
		n8n.state.faults.add({ match: { pathPattern: 'studio' }, fault });
		expect(await fetchTestEvent()).toMatchObject([{ jobId: job.id }]);
		n8n.state.faults.add({ match: { kind: 'list' }, fault });
		await expect(fetchTestEvent()).rejects.toThrow('The service denied access');
	});
});
