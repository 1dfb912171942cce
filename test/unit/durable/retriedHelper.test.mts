import type { VirtualEngine } from '../../support/virtualEngine.mts';
import {
	endOf,
	expectWhole,
	helpersOf,
	ID,
	killAwake,
	lasting,
	MINUTE,
	started,
} from './batches.mts';

/** n8n lists in red what worked for a durable run when n8n ended, with an arrow to retry it. */

const settings = lasting(30);

/** n8n is killed as both helpers are awake. */
async function orphaned() {
	const engine = await started({ settings }, 10 * MINUTE);
	killAwake(engine);
	await engine.clock.advance(30 * MINUTE);
	expect(endOf(engine).status).toBe('waiting');
	return engine;
}

/** A person retries the first helper that is called so; gives why nothing comes of it. */
async function retried(engine: VirtualEngine, name: string) {
	const id = await engine.clock.run(engine.retry(helpersOf(engine, name)[0]!.id));
	await engine.clock.advance(1000);
	return engine.store.read(id)?.resultData.error?.message.split('. ')[0];
}

const NOTHING = `Nothing to retry: execution ${ID}`;

test('of two red helpers, the watcher does nothing; the worker goes on', async () => {
	const engine = await orphaned();
	expect(await retried(engine, ': watcher')).toBeUndefined();
	expect(endOf(engine).status).toBe('waiting');
	expect(await retried(engine, ': worker')).toBeUndefined();
	await engine.clock.advance(120 * MINUTE);
	expectWhole(engine);
});

test.each([0, 5 * MINUTE])(
	'the worker once more, %d ms later: that one does nothing',
	async (ms) => {
		const engine = await orphaned();
		await engine.clock.run(engine.retry(helpersOf(engine, ': worker')[0]!.id));
		await engine.clock.advance(ms);
		expect(await retried(engine, ': worker')).toBe(`${NOTHING} goes on by itself`);
		await engine.clock.advance(120 * MINUTE);
		expectWhole(engine);
	},
);

test('a red worker is retried whose run has ended without it: it says so', async () => {
	const engine = await started({ settings }, 10 * MINUTE);
	killAwake(engine, ': worker');
	await engine.clock.advance(120 * MINUTE);
	expectWhole(engine);
	expect(await retried(engine, ': worker')).toBe(`${NOTHING} does not wait for it any more`);
});
