import type { IDataObject } from 'n8n-workflow';

import type { VirtualEngine } from '../../support/virtualEngine.mts';
import { creationsOf, endOf, helpersOf, ID, lasting, MINUTE, started } from './batches.mts';
import { openIn, recover } from './chaos/play.mts';

/** Nobody can go on with a run: it ends with an error that names what is paid for, and does not wait for ever. */

const settings = lasting(30);

/** Queue mode: what n8n has left of an execution whose process has died, a minute or two later. */
const DROPPED = JSON.stringify({
	resultData: { error: { message: 'Failed to be processed', name: 'Error' }, runData: {} },
	executionData: { contextData: {}, nodeExecutionStack: [] },
});

const workerOf = (engine: VirtualEngine) => helpersOf(engine, ': worker')[0]!;

/** A package of another version has parked the run: its number, or none. */
function parkAs(engine: VirtualEngine, version?: number): void {
	engine.kill();
	for (const row of engine.store.list) {
		const data: unknown = JSON.parse(row.data, (name, value: IDataObject) =>
			name === 'mediaGenHelper' && 'version' in value ? { ...value, version } : value,
		);
		row.data = JSON.stringify(data);
	}
	engine.boot();
}

const GONE = 'The execution that worked for this durable run was stopped or deleted, or';
const OTHER_VERSION = 'Another version of n8n-nodes-mediagen has parked this durable run';

const FATES: Array<[string, string, (engine: VirtualEngine) => void]> = [
	[
		'n8n has dropped what it had stored of the worker',
		GONE,
		(engine) =>
			engine.store.settle(workerOf(engine).id, { status: 'error', waitTill: null, data: DROPPED }),
	],
	['the worker is deleted', GONE, (engine) => engine.store.rows.delete(workerOf(engine).id)],
	[
		'the credential is gone',
		'as where the credential is gone',
		(engine) => engine.loseCredential(),
	],
	['a version without a number has parked it', OTHER_VERSION, (engine) => parkAs(engine)],
	['a newer version has parked it', OTHER_VERSION, (engine) => parkAs(engine, 99)],
];

describe.each([
	['the error', false],
	['the item, under Continue,', true],
])('%s names the jobs, and their rows can be got back', (_, continueOnFail) => {
	test.each(FATES)('%s', async (__, why, befall) => {
		const engine = await started({ settings, continueOnFail }, 20 * MINUTE);
		befall(engine);
		await engine.clock.advance(40 * MINUTE);
		const { status, error, items } = endOf(engine);
		expect(status).toBe(continueOnFail ? 'success' : 'error');
		// Under Continue, n8n keeps the message alone.
		const told = continueOnFail ? JSON.stringify(items) : error?.message;
		for (const { id } of engine.state.jobs.list) expect(told).toContain(id);
		for (const text of [why, 'Any row but rows 1, 2, 3, 4 and 5 may be paid for, too.'])
			expect(told).toContain(text);
		expect(creationsOf(engine)).toBe(5);
		expect(openIn(engine)).toEqual([]);
		const rows = await engine.clock.run(recover(engine, ID));
		expect(rows.map(({ itemIndex }) => itemIndex)).toEqual([0, 1, 2, 3, 4]);
	});
});
