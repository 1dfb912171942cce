import type { VirtualEngine } from '../../support/virtualEngine.mts';
import { endOf, ID, MINUTE, started } from './batches.mts';
import { openIn } from './chaos/play.mts';

/** When the helpers of a run have ended: they are of no use after it. */

const LONG = { settings: { jobMs: { min: 30 * MINUTE, max: 30 * MINUTE } } };

/** Lets time pass until it holds; gives how much. */
async function untilIt(engine: VirtualEngine, holds: () => boolean): Promise<number> {
	const from = engine.clock.now();
	while (!holds() && engine.clock.now() - from < 120 * MINUTE) await engine.clock.advance(1000);
	return engine.clock.now() - from;
}

const helpersEnd = async (engine: VirtualEngine) =>
	await untilIt(engine, () => openIn(engine).length === 0);

test('all of them within three minutes after the execution has gone on', async () => {
	const engine = await started(LONG, 1000);
	await untilIt(engine, () => endOf(engine).status === 'success');
	expect(endOf(engine).items).toHaveLength(10);
	expect(await helpersEnd(engine)).toBeLessThanOrEqual(3 * MINUTE);
	const names = engine.store.list.map(({ workflow }) => workflow.name);
	expect(names).toEqual(['Batch', 'Images: watcher', 'Images: worker']);
});

test('after a stop, three minutes after the worker has seen it', async () => {
	const engine = await started(LONG, 10 * MINUTE);
	engine.stop(ID);
	await untilIt(engine, () => engine.messages.some((text) => text.includes('Paid for')));
	expect(await helpersEnd(engine)).toBeLessThanOrEqual(3 * MINUTE);
});
