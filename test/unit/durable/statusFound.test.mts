import type { SandboxSettingsInput } from '../../../sandbox/settings.mts';
import { VirtualEngine } from '../../support/virtualEngine.mts';
import { creationsOf, endOf, ID, MINUTE, TEN } from './batches.mts';
import { IMAGES, itemsOf, recover, workflowOf } from './chaos/play.mts';

/** A durable run over jobs whose status path is not documented: where they are read goes with them. */

const UNIFIED = { operation: 'generateUnified', aspectRatio: '1:1' };

async function started(served: 'general' | 'history' | 'none', jobMs: number, ms: number) {
	const shapes = { served, creation: { idField: 'task_id' } } as const;
	const settings: SandboxSettingsInput = { jobMs: { min: jobMs, max: jobMs }, shapes };
	const engine = new VirtualEngine({ settings });
	engine.boot();
	const workflow = workflowOf({ continueOnFail: false, then: 'end', savesProgress: false });
	for (const node of workflow.nodes) {
		if (node.name === IMAGES) Object.assign(node.parameters, UNIFIED);
	}
	void engine.trigger(workflow, itemsOf({ prompts: TEN }));
	await engine.clock.advance(ms);
	return engine;
}

const paidFor = ({ state }: VirtualEngine) => state.jobs.list.map(({ id }) => id).sort();

test.each([
	['general', 'generation'],
	['history', 'generationHistory'],
] as const)('%s: all results, also when n8n is killed meanwhile', async (served, startedWith) => {
	const engine = await started(served, 2 * MINUTE, MINUTE);
	expect(creationsOf(engine)).toBe(5);
	engine.kill();
	await engine.clock.advance(MINUTE);
	engine.boot();
	await engine.clock.advance(60 * MINUTE);
	const { status, items } = endOf(engine);
	expect(status).toBe('success');
	expect(items.map(({ json }) => json)).toEqual(
		TEN.map(() =>
			expect.objectContaining({
				status: 'completed',
				details: expect.objectContaining({ startedWith }),
				mediaUrl: expect.stringContaining('/media/'),
			}),
		),
	);
	expect(items.map(({ json }) => json.jobId).sort()).toEqual(paidFor(engine));
	expect(creationsOf(engine)).toBe(10);
});

test('none: each is handed on with its identifier', async () => {
	const engine = await started('none', MINUTE, 30 * MINUTE);
	const { status, items } = endOf(engine);
	expect(status).toBe('success');
	expect(items.map(({ json }) => json.jobId).sort()).toEqual(paidFor(engine));
	for (const { json } of items) expect(json.notWaited).toEqual(expect.any(String));
	expect(engine.state.jobs.list).toHaveLength(10);
});

test('what is recovered says where it is read', async () => {
	const engine = await started('history', 60 * MINUTE, 10 * MINUTE);
	const rows = await engine.clock.run(recover(engine, ID));
	expect(rows).toHaveLength(5);
	for (const row of rows)
		expect(row).toMatchObject({ details: { startedWith: 'generationHistory' } });
});
