import type { IDataObject, NodeExecutionHint } from 'n8n-workflow';

import { runNode } from '../../support/product.mts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { virtualContext } from '../../support/virtualContext.mts';
import type { VirtualEngine } from '../../support/virtualEngine.mts';
import { BASE_URL, VirtualNetwork } from '../../support/virtualNetwork.mts';
import { creationsOf, endOf, ID, MINUTE, started } from './batches.mts';
import { openIn } from './chaos/play.mts';

/** n8n lists in red what worked for a durable run when n8n ended, with an arrow to retry it. */

const settings = { jobMs: { min: 30 * MINUTE, max: 30 * MINUTE } };

/** The helpers of a run that are named so, the newest last. */
const named = ({ store }: VirtualEngine, name: string) =>
	store.list.filter(({ workflow }) => workflow.name.endsWith(name));

/** n8n is killed as both helpers are awake. */
async function orphaned() {
	const engine = await started({ settings }, 10 * MINUTE);
	engine.kill();
	for (const row of engine.store.list)
		if (row.id !== ID) Object.assign(row, { status: 'crashed', waitTill: null });
	engine.boot();
	await engine.clock.advance(30 * MINUTE);
	expect(endOf(engine).status).toBe('waiting');
	return engine;
}

/** A person retries a helper; gives the error of that. */
async function retried(engine: VirtualEngine, name: string) {
	const id = await engine.clock.run(engine.retry(named(engine, name)[0]!.id));
	return () => engine.store.read(id)?.resultData.error?.message;
}

async function expectWhole(engine: VirtualEngine): Promise<void> {
	await engine.clock.advance(120 * MINUTE);
	expect(endOf(engine).status).toBe('success');
	expect(endOf(engine).items).toHaveLength(10);
	expect(creationsOf(engine)).toBe(10);
	expect(openIn(engine)).toEqual([]);
}

test('of two red helpers, a person retries the worker: the run goes on', async () => {
	const engine = await orphaned();
	await retried(engine, ': worker');
	await expectWhole(engine);
});

test('the watcher does nothing, and says whom to retry', async () => {
	const engine = await orphaned();
	const error = await retried(engine, ': watcher');
	await engine.clock.advance(1000);
	expect(error()).toBe(`Nothing to retry: execution ${ID} needs no watcher to go on`);
	await retried(engine, ': worker');
	await expectWhole(engine);
});

test.each([0, 5000, MINUTE, 5 * MINUTE])(
	'the worker once more, %d ms later: that one does nothing',
	async (ms) => {
		const engine = await orphaned();
		await retried(engine, ': worker');
		await engine.clock.advance(ms);
		const error = await retried(engine, ': worker');
		await engine.clock.advance(1000);
		expect(error()).toBe(`Nothing to retry: execution ${ID} goes on by itself`);
		await expectWhole(engine);
	},
);

test('a red hand-over is retried, whose run has ended with that error: it says so', async () => {
	const engine = await started({ prompts: ['a [fail]'] }, 60 * MINUTE);
	expect(endOf(engine).status).toBe('error');
	const error = await retried(engine, ': hand-over');
	await engine.clock.advance(1000);
	expect(error()).toBe(`Nothing to retry: execution ${ID} does not wait for it any more`);
});

test('only the watcher is killed: the worker starts another, which replaces it after the next kill', async () => {
	const engine = await started({ settings }, 10 * MINUTE);
	engine.kill();
	for (const row of named(engine, ': watcher'))
		Object.assign(row, { status: 'crashed', waitTill: null });
	engine.boot();
	await engine.clock.advance(10 * MINUTE);
	engine.kill();
	for (const row of named(engine, ': worker'))
		Object.assign(row, { status: 'crashed', waitTill: null });
	engine.boot();
	await expectWhole(engine);
});

test('a worker is retried whose run goes on by itself: nothing happens', async () => {
	const engine = await started({ settings }, 10 * MINUTE);
	engine.kill();
	for (const row of named(engine, ': worker'))
		Object.assign(row, { status: 'crashed', waitTill: null });
	engine.boot();
	const id = await engine.clock.run(engine.retry(named(engine, ': worker')[0]!.id));
	await engine.clock.advance(120 * MINUTE);
	expect(engine.store.row(id).status).toBe('error');
	expect(endOf(engine).status).toBe('success');
	expect(creationsOf(engine)).toBe(10);
});

/** A retry with the saved workflow gives the helper's item to the user's own node. */
async function givenTo(json: IDataObject, onError?: 'continueRegularOutput') {
	const clock = new VirtualClock();
	const network = new VirtualNetwork(clock);
	const hints: NodeExecutionHint[] = [];
	const context = virtualContext({
		kind: 'image',
		network,
		credential: { baseUrl: BASE_URL, apiKey: network.state.settings.key },
		items: [{ json: { a: 1 } }, { json }],
		parameters: { resource: 'image', operation: 'generate', prompt: 'a cat', size: '1:1' },
		node: {
			...{ id: '1', name: 'Images', type: 'n8n-nodes-mediagen.mediaGenImage', typeVersion: 1 },
			...{ position: [0, 0], parameters: {}, onError },
		},
		memory: {},
		executionId: '300',
		mode: 'retry',
		hints,
		messages: [],
	});
	const [settled] = await clock.run(Promise.allSettled([runNode('image', context, clock)]));
	expect(network.state.journal.entries).toEqual([]);
	return { settled, hints };
}

test.each([{ mediaGenWork: {} }, { mediaGenWatch: {} }, { mediaGenAgain: true }])(
	'%j: the node orders nothing, and says what to choose',
	async (json) => {
		const { settled } = await givenTo(json);
		expect(settled).toMatchObject({
			reason: {
				message: 'Nothing was ordered: this is the item of a helper of a durable run',
				description: expect.stringContaining('Retry with original workflow'),
			},
		});
	},
);

test('under Continue, no item goes on to order something further on, and a hint says why', async () => {
	const { settled, hints } = await givenTo({ mediaGenAgain: true }, 'continueRegularOutput');
	expect(settled).toEqual({ status: 'fulfilled', value: [[]] });
	expect(hints).toMatchObject([{ message: expect.stringContaining('Nothing was ordered') }]);
});
