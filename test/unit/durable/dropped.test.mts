import { VirtualEngine } from '../../support/virtualEngine.mts';
import { endOf, ID, MINUTE } from './batches.mts';
import { itemsOf, openIn, recover, workflowOf } from './chaos/play.mts';

/**
 * Queue mode: a minute or two after the process of a worker has died, n8n drops what it had stored of the execution
 * (`WorkflowRunner.processError`).
 */

const PROMPTS = Array.from({ length: 20 }, (_, item) => `item ${item}`);

const LONG = { min: 60_000, max: 90_000 };

const DROPPED = JSON.stringify({
	resultData: { error: { message: 'Failed to be processed', name: 'Error' }, runData: {} },
	executionData: { contextData: {}, nodeExecutionStack: [] },
});

/** Killed as it is awake for the first time after so long; n8n drops its data, and is there again after so long. */
async function dropped(afterMs: number, downMs: number, jobMs = LONG) {
	const engine = new VirtualEngine({ settings: { jobMs, credits: { purchased: 1_000_000 } } });
	engine.boot();
	const workflow = workflowOf({ continueOnFail: true, then: 'end', savesProgress: false });
	void engine.trigger(workflow, itemsOf({ prompts: PROMPTS }));
	await engine.clock.advance(afterMs);
	const worker = engine.store.list.find(({ workflow: { name } }) => name.endsWith(': work'))!;
	for (let step = 0; worker.status !== 'running'; step++) {
		if (step > 20_000) throw new Error('The worker is never awake');
		await engine.clock.advance(50);
	}
	engine.kill();
	await engine.clock.advance(downMs);
	engine.store.settle(worker.id, { status: 'error', waitTill: null, data: DROPPED });
	return engine;
}

test.each([
	[100_000, 70_000, 'replaced by its supervisor'],
	// The supervisor was silent, too, and leaves it to the standby.
	[20 * MINUTE, 5 * MINUTE, 'replaced by the standby'],
])(
	'after %i ms, for %i ms: %s; each job is told of, none is made twice',
	async (afterMs, downMs) => {
		const jobMs = afterMs > 10 * MINUTE ? { min: 6 * MINUTE, max: 9 * MINUTE } : LONG;
		const engine = await dropped(afterMs, downMs, jobMs);
		engine.boot();
		await engine.clock.advance(180 * MINUTE);
		expect(openIn(engine)).toEqual([]);
		const { status, items } = endOf(engine);
		expect(status).toBe('success');
		const paid = engine.state.jobs.list.map(({ body }) => body.prompt);
		expect(new Set(paid).size).toBe(paid.length);
		for (const [item, prompt] of PROMPTS.entries()) {
			const { status: state, error } = items[item]!.json;
			if (state === 'completed') continue;
			// What was sent since the copy was made is not known.
			expect(String(error)).toContain('may exist, and may have been paid for');
			const job = engine.state.jobs.list.find(({ body }) => body.prompt === prompt);
			if (job) expect(JSON.stringify(items[item])).toContain(job.id);
		}
		engine.kill();
	},
);

test('Recover finds what the copy knows', async () => {
	const engine = await dropped(200_000, 70_000);
	const known = engine.state.jobs.list.length;
	engine.boot();
	const found = await engine.clock.run(recover(engine, ID));
	expect(JSON.stringify(found)).toContain(engine.state.jobs.list[0]!.id);
	expect(known).toBeGreaterThanOrEqual(5);
	engine.kill();
});
