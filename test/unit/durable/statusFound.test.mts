import { endOf, expectWhole, ID, MINUTE, started } from './batches.mts';
import { recover } from './chaos/play.mts';

/** A durable run over jobs whose status path is not documented: where they are read goes with them. */

async function served(by: 'general' | 'history' | 'none', jobMs: number, ms: number) {
	const shapes = { served: by, creation: { idField: 'task_id' } } as const;
	return await started(
		{
			settings: { jobMs: { min: jobMs, max: jobMs }, shapes },
			parameters: { operation: 'generateUnified', aspectRatio: '1:1' },
		},
		ms,
	);
}

test.each([
	['general', 'generation'],
	['history', 'generationHistory'],
] as const)('%s: all results, also when n8n is killed meanwhile', async (by, startedWith) => {
	const engine = await served(by, 2 * MINUTE, MINUTE);
	const rows = await engine.clock.run(recover(engine, ID));
	expect(rows).toHaveLength(5);
	engine.kill();
	await engine.clock.advance(MINUTE);
	engine.boot();
	await engine.clock.advance(60 * MINUTE);
	expectWhole(engine);
	const items = endOf(engine).items.map(({ json }) => json);
	for (const item of [...rows, ...items]) expect(item).toMatchObject({ details: { startedWith } });
	for (const { mediaUrl } of items) expect(mediaUrl).toContain('/media/');
});
