import type { IDataObject } from 'n8n-workflow';

import type { VirtualEngine } from '../../support/virtualEngine.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
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

test.each([0, 5000, MINUTE, 5 * MINUTE])(
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

test('only the watcher is killed: the worker starts another, which replaces it after the next kill', async () => {
	const engine = await started({ settings }, 10 * MINUTE);
	killAwake(engine, ': watcher');
	await engine.clock.advance(10 * MINUTE);
	killAwake(engine, ': worker');
	await engine.clock.advance(120 * MINUTE);
	expectWhole(engine);
});

test('a worker is retried whose run goes on by itself: nothing happens', async () => {
	const engine = await started({ settings }, 10 * MINUTE);
	killAwake(engine, ': worker');
	expect(await retried(engine, ': worker')).toBe(`${NOTHING} goes on by itself`);
	await engine.clock.advance(120 * MINUTE);
	expectWhole(engine);
});

/** A retry with the saved workflow gives the helper's item to the user's own node. */
async function givenTo(json: IDataObject, onError?: 'continueRegularOutput') {
	const n8n = new VirtualN8n();
	const parameters = { resource: 'image', operation: 'generate', prompt: 'a cat', size: '1:1' };
	const items = [{ a: 1 }, json];
	const ended = await n8n.clock.run(
		n8n.execute({ items, parameters, node: { onError }, mode: 'retry' }),
	);
	expect(n8n.state.journal.entries).toEqual([]);
	return ended;
}

test.each([{ mediaGenHelper: {} }, { mediaGenAgain: true }])(
	'%j: the node orders nothing, and says what to choose',
	async (json) => {
		const { error } = await givenTo(json);
		expect(error).toMatchObject({
			message: expect.stringMatching(/^Nothing was ordered: .* Retry with original workflow/),
		});
	},
);

test('under Continue, no item goes on to order something further on, and a hint says why', async () => {
	const { error, outputs, hints } = await givenTo({ mediaGenAgain: true }, 'continueRegularOutput');
	expect({ error, outputs }).toEqual({ error: undefined, outputs: [[]] });
	expect(hints).toMatchObject([{ message: expect.stringContaining('Nothing was ordered') }]);
});
