import { VirtualCluster } from '../../support/virtualCluster.mts';
import { itemsOf, workflowOf } from './chaos/play.mts';

/**
 * Queue mode: a process stands still while it runs a worker and its supervisor. In another, the standby replaces both.
 * Then the first goes on.
 */

const MINUTE = 60_000;

/** So many that both workers still have some to create. */
const ITEMS = 90;

test.each([1, 2])('no item is paid for twice, seed %i', async (seed) => {
	const jobMs = { min: 4000, max: 30_000 };
	const settings = { seed, credits: { purchased: 100_000 }, jobMs };
	const cluster = new VirtualCluster({ settings });
	const { clock, state, store } = cluster;
	const isAwake = (role: string) => cluster.inRole(role)[0]?.status === 'running';
	let mayStop = false;
	const first = cluster.start(() => {
		if (!mayStop || !isAwake('work') || !isAwake('supervise')) return;
		mayStop = false;
		first.pausable.stop();
	});
	const prompts = Array.from({ length: ITEMS }, (_, item) => `item ${item}`);
	const workflow = workflowOf({ continueOnFail: true, then: 'end', savesProgress: false });
	void first.trigger(workflow, itemsOf({ prompts }));
	// The supervisor checks for the first time when the run has a standby.
	await clock.advance(2 * MINUTE);
	mayStop = true;
	await clock.advance(3 * MINUTE);
	expect(first.pausable.isPaused).toBe(true);
	const paid = state.jobs.list.length;
	expect(paid).toBeLessThan(ITEMS - 20);

	cluster.start();
	for (let minute = 0; cluster.inRole('work').length < 2 && minute < 120; minute++)
		await clock.advance(MINUTE);
	await clock.advance(10_000);
	first.pausable.goOn();
	await clock.advance(60 * MINUTE);

	expect(cluster.inRole('work').length).toBe(2);
	expect(state.jobs.list.map(({ body }) => body.prompt).sort()).toEqual([...prompts].sort());
	expect(store.row('1').status).toBe('success');
});
