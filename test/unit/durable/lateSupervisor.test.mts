import { endOf, MINUTE, started } from './batches.mts';
import { openIn } from './chaos/play.mts';

/** So long that half of the jobs are not created yet as the worker dies. */
const LONG = { jobMs: { min: 400_000, max: 700_000 } };

test.each([17, 18, 19, 20, 25])(
	'a supervisor that n8n wakes up %d minutes late leaves the run to the standby that took over',
	async (minutes) => {
		const engine = await started({ settings: LONG }, 10_000);
		const [, supervisor, , worker] = engine.store.list;
		while (worker!.status !== 'running') await engine.clock.advance(10);
		engine.kill();
		supervisor!.waitTill! += minutes * MINUTE;
		engine.boot();
		await engine.clock.advance(120 * MINUTE);
		expect(endOf(engine).status).toBe('success');
		expect(engine.state.account.charges).toHaveLength(10);
		expect(openIn(engine)).toEqual([]);
	},
);
