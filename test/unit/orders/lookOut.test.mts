import { VirtualN8n } from '../../support/virtualRun.mts';
import { VirtualWorker } from '../../support/virtualWorker.mts';

/** Looks at the history for free places: only as long as somebody waits for one. */

const image = (name: string, count: number) => ({
	items: Array.from({ length: count }, () => ({})),
	parameters: (item: number) => ({
		resource: 'image',
		operation: 'generate',
		size: '1:1',
		prompt: `${name} ${item}`,
		options: {},
	}),
});

/** Five jobs of another process that take a minute, and own ones from the 5th second on. */
function crowded(count: number) {
	const n8n = new VirtualN8n({ settings: { jobMs: { min: 60_000, max: 60_000 } } });
	const stop = new AbortController();
	const other = new VirtualWorker(n8n, 'other').execute(image('other', 5));
	const own = n8n.clock.sleep(5000).then(async () => {
		return await n8n.execute({ ...image('own', count), signal: stop.signal });
	});
	return { n8n, stop, other, own };
}

test('it ends with Stop: no request follows, nobody sleeps', async () => {
	const { n8n, stop, other, own } = crowded(3);
	await n8n.clock.advance(20_000);
	stop.abort();
	const { items } = await n8n.clock.run(own);
	const stoppedAt = n8n.clock.now();
	expect(items).toEqual([]);
	await n8n.clock.run(other);
	expect(n8n.state.jobs.list).toHaveLength(5);
	expect(n8n.clock.sleeping).toBe(0);
	expect(stoppedAt - n8n.state.jobs.list[0]!.createdAt).toBeLessThan(21_000);
});

test('it ends with the last job that waits', async () => {
	const { n8n, other, own } = crowded(1);
	await n8n.clock.run(Promise.all([other, own]));
	const lists = n8n.state.journal.entries.filter(({ kind }) => kind === 'list').length;
	await n8n.clock.advance(3_600_000);
	expect(n8n.state.journal.entries.filter(({ kind }) => kind === 'list')).toHaveLength(lists);
	expect(n8n.clock.sleeping).toBe(0);
});
