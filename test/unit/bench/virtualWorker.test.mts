import { VirtualN8n } from '../../support/virtualRun.mts';
import { VirtualWorker } from '../../support/virtualWorker.mts';

/** Processes of a fleet: one account, one time, and nothing else in common. */

const batch = (name: string) => ({
	items: Array.from({ length: 8 }, () => ({})),
	parameters: (item: number) => ({
		resource: 'image',
		operation: 'generate',
		size: '1:1',
		prompt: `${name} ${item}`,
		options: {},
	}),
});

const JOB_MS = { min: 10_000, max: 10_000 };

test('the limits are those of the account, whatever key is used', async () => {
	const account = new VirtualN8n({ settings: { jobMs: JOB_MS } });
	const workers = ['a', 'b'].map((name) => ({ name, worker: new VirtualWorker(account, name) }));
	const runs = await account.clock.run(
		Promise.all(workers.map(async ({ name, worker }) => await worker.execute(batch(name)))),
	);
	expect(runs.map(({ error, items }) => error ?? items.length)).toEqual([8, 8]);
	const { jobs } = account.state;
	const runningAt = (time: number) =>
		jobs.list.filter(({ createdAt, endsAt }) => createdAt <= time && endsAt > time).length;
	expect(jobs.list).toHaveLength(16);
	expect(Math.max(...jobs.list.map(({ createdAt }) => runningAt(createdAt)))).toBe(5);
});

test('one that is killed creates nothing more and never ends; what it has created stays', async () => {
	const account = new VirtualN8n({ settings: { jobMs: JOB_MS } });
	const { clock, state } = account;
	const dying = new VirtualWorker(account, 'dying');
	let hasEnded = false;
	void dying.execute(batch('dying')).finally(() => (hasEnded = true));
	await clock.advance(5000);
	dying.kill();
	const other = await clock.run(new VirtualWorker(account, 'other').execute(batch('other')));
	expect(other.items).toHaveLength(8);
	const prompts = state.jobs.list.map(({ body }) => String(body.prompt));
	expect(prompts.filter((prompt) => prompt.startsWith('dying'))).toHaveLength(5);
	expect(hasEnded).toBe(false);
});
