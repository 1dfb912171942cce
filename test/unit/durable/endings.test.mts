import type { VirtualEngine } from '../../support/virtualEngine.mts';
import {
	creationsOf,
	endOf,
	expectWhole,
	ID,
	lasting,
	MINUTE,
	promptsOf,
	started,
	TEN,
} from './batches.mts';
import { openIn } from './chaos/play.mts';
import { toldBy } from '../../support/toldBy.mts';

/** Lets time pass until it is so; gives how much. */
async function untilIt({ clock }: VirtualEngine, isSo: () => boolean): Promise<number> {
	const from = clock.now();
	while (!isSo() && clock.now() - from < 120 * MINUTE) await clock.advance(1000);
	return clock.now() - from;
}

const untilAllEnd = async (engine: VirtualEngine) =>
	await untilIt(engine, () => openIn(engine).length === 0);

test('undisturbed, ten images come in input order, all end, and n8n keeps worker and watcher', async () => {
	const engine = await started({ settings: lasting(30) }, 1000);
	await untilIt(engine, () => endOf(engine).status !== 'waiting');
	expect(await untilAllEnd(engine)).toBeLessThanOrEqual(3 * MINUTE);
	expectWhole(engine);
	expect(engine.store.list.map(({ workflow, status: end }) => `${workflow.name} ${end}`)).toEqual([
		'Batch success',
		'Images: watcher success',
		'Images: worker success',
	]);
});

test('a job fails, and nobody wants to continue: no more are begun, and the error names all', async () => {
	const prompts = TEN.map((prompt, item) => (item === 2 ? `${prompt} [fail]` : prompt));
	const settings = { jobMs: { min: 3000, max: 3000 } };
	const engine = await started({ prompts, settings }, 60 * MINUTE);
	const { status, error } = endOf(engine);
	const { list } = engine.state.jobs;
	expect(status).toBe('error');
	expect(list.length).toBeLessThan(TEN.length);
	expect(error?.message).toContain(list.find(({ outcome }) => outcome === 'failed')!.id);
	for (const { id } of list) expect(toldBy(error)).toContain(id);
	expect(error?.description).toMatch(/The others: \d finished, \d not started and not charged\./);
	// A workflow that calls this one shows the error, too, and has another number.
	expect(error?.description).toContain(`Options > Continue Execution with ${ID} to each`);
	expect(openIn(engine)).toEqual([]);
});

test.each([
	['while jobs run', 20_000],
	['while they run long, and all are parked', 10 * MINUTE],
])('stopped %s: nothing more is created, and all end soon', async (_, ms) => {
	const engine = await started({ settings: lasting(30) }, ms);
	expect(engine.store.row(ID).status).toBe('waiting');
	expect(creationsOf(engine)).toBe(5);
	engine.stop(ID);
	expect(await untilAllEnd(engine)).toBeLessThanOrEqual(3 * MINUTE);
	expect(creationsOf(engine)).toBe(5);
	expect(engine.store.row(ID).status).toBe('canceled');
});

test('Retry execution of one that crashed before it was parked makes everything, once', async () => {
	const engine = await started({}, 20);
	engine.kill();
	await engine.clock.advance(MINUTE);
	engine.boot();
	await engine.clock.advance(MINUTE);
	expect(engine.store.row(ID).status).toBe('crashed');
	expect(creationsOf(engine)).toBe(0);
	const id = await engine.clock.run(engine.retry(ID));
	await engine.clock.advance(60 * MINUTE);
	expect(promptsOf(engine, endOf(engine, id).items)).toEqual(TEN);
	expect(creationsOf(engine)).toBe(10);
	expect(openIn(engine)).toEqual([]);
});
