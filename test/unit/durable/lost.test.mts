import type { VirtualEngine } from '../../support/virtualEngine.mts';
import { creationsOf, endOf, ID, MINUTE, started, TEN } from './batches.mts';
import { openIn } from './chaos/play.mts';

/** Nobody can go on with a run: it ends with an error that names what is paid for, and does not wait for ever. */

const settings = { jobMs: { min: 30 * MINUTE, max: 30 * MINUTE } };

/** Queue mode: what n8n has left of an execution whose process has died, a minute or two later. */
const DROPPED = JSON.stringify({
	resultData: { error: { message: 'Failed to be processed', name: 'Error' }, runData: {} },
	executionData: { contextData: {}, nodeExecutionStack: [] },
});

const workerOf = ({ store }: VirtualEngine) =>
	store.list.find(({ workflow }) => workflow.name.endsWith(': worker'))!;

const FATES: Array<[string, (engine: VirtualEngine) => void]> = [
	[
		'n8n has dropped what it had stored of the worker',
		(engine) =>
			engine.store.settle(workerOf(engine).id, { status: 'error', waitTill: null, data: DROPPED }),
	],
	['somebody has deleted the worker', (engine) => engine.store.rows.delete(workerOf(engine).id)],
	['somebody has stopped the worker', (engine) => engine.stop(workerOf(engine).id)],
];

test.each(FATES)(
	'%s: the error names the jobs, and the rows that may have others',
	async (...fate) => {
		const [, befall] = fate;
		const engine = await started({ settings }, 20 * MINUTE);
		befall(engine);
		await engine.clock.advance(40 * MINUTE);
		const { status, error } = endOf(engine);
		expect(status).toBe('error');
		expect(error?.message).toContain(
			'The execution that worked for this durable run was stopped or deleted, or',
		);
		for (const { id } of engine.state.jobs.list) expect(error?.message).toContain(id);
		expect(error?.message).toContain('Rows 6, 7, 8, 9 and 10 may be paid for, too.');
		expect(creationsOf(engine)).toBe(5);
		expect(openIn(engine)).toEqual([]);
	},
);

test('under Continue, the item says so', async () => {
	const engine = await started({ settings, continueOnFail: true }, 20 * MINUTE);
	engine.store.rows.delete(workerOf(engine).id);
	await engine.clock.advance(40 * MINUTE);
	const { status, items } = endOf(engine);
	expect(status).toBe('success');
	for (const { id } of engine.state.jobs.list) expect(JSON.stringify(items)).toContain(id);
});

test('the worker is lost before anybody has looked: each row may be paid for', async () => {
	const engine = await started({ settings }, 2000);
	engine.store.rows.delete(workerOf(engine).id);
	engine.kill();
	engine.boot();
	await engine.clock.advance(40 * MINUTE);
	expect(endOf(engine)).toMatchObject({ status: 'error' });
	expect(endOf(engine).error?.message).toContain('Rows 1, 2, 3');
	expect(engine.store.row(ID).status).toBe('error');
	expect(creationsOf(engine)).toBeLessThanOrEqual(TEN.length);
});

test('n8n lets nothing run that has the credential: the execution does not wait for ever', async () => {
	const engine = await started({ settings }, 10 * MINUTE);
	engine.denyCredential();
	await engine.clock.advance(120 * MINUTE);
	expect(endOf(engine).status).toBe('error');
	expect(openIn(engine)).toEqual([]);
	const handOver = engine.store.list.find(({ workflow }) => workflow.name.endsWith(': hand-over'))!;
	const { error } = engine.store.read(handOver.id)!.resultData;
	expect(error?.message).toContain('n8n may not let them start');
	for (const { id } of engine.state.jobs.list) expect(error?.message).toContain(id);
});
