import type { IDataObject } from 'n8n-workflow';

import type { VirtualEngine } from '../../support/virtualEngine.mts';
import { IMAGES, openIn } from './chaos/play.mts';
import { creationsOf, endOf, MINUTE, started } from './batches.mts';

/** The jobs run that long, so that all is parked soon. */
const settings = { jobMs: { min: 30 * MINUTE, max: 30 * MINUTE } };

/** A package of another version has parked the run: its number, or none. */
function parkAs(version: number | undefined, engine: VirtualEngine): void {
	const change = (at: unknown): void => {
		if (typeof at !== 'object' || at === null) return;
		for (const [name, value] of Object.entries(at)) {
			if (name === 'mediaGenWork') (value as IDataObject).version = version;
			change(value);
		}
	};
	for (const row of engine.store.list) {
		const data = JSON.parse(row.data) as object;
		change(data);
		row.data = JSON.stringify(data);
	}
}

const workerOf = (engine: VirtualEngine) =>
	engine.store.list.find(({ workflow }) => workflow.name === `${IMAGES}: worker`)!;

describe.each([
	['an older version, that had no number', undefined],
	['a newer version', 99],
])('%s has parked a durable run', (_, version) => {
	test.each([
		['its worker wakes up', false],
		['its worker was killed, and its watcher starts another', true],
	])('%s: nothing more is paid for, and the error names the jobs', async (__, isKilled) => {
		const engine = await started({ settings }, 10 * MINUTE);
		expect(creationsOf(engine)).toBe(5);
		engine.kill();
		parkAs(version, engine);
		if (isKilled) Object.assign(workerOf(engine), { status: 'crashed', waitTill: null });
		engine.boot();
		await engine.clock.advance(40 * MINUTE);
		expect(creationsOf(engine)).toBe(5);
		const { status, error } = endOf(engine);
		expect(status).toBe('error');
		expect(error?.message).toContain('Another version of n8n-nodes-mediagen has parked');
		for (const { id } of engine.state.jobs.list) expect(error?.message).toContain(id);
		expect(openIn(engine)).toEqual([]);
	});
});

describe('another version has parked', () => {
	const version = 99;

	test('a run under Continue: the item names the jobs, since n8n keeps the message alone', async () => {
		const engine = await started({ settings, continueOnFail: true }, 10 * MINUTE);
		engine.kill();
		parkAs(version, engine);
		engine.boot();
		await engine.clock.advance(40 * MINUTE);
		expect(creationsOf(engine)).toBe(5);
		const { status, items } = endOf(engine);
		expect(status).toBe('success');
		for (const { id } of engine.state.jobs.list) expect(JSON.stringify(items)).toContain(id);
	});
});

test('its own version it goes on with, after a restart too', async () => {
	const engine = await started({ settings }, 10 * MINUTE);
	engine.kill();
	engine.boot();
	await engine.clock.advance(90 * MINUTE);
	expect(endOf(engine).status).toBe('success');
	expect(creationsOf(engine)).toBe(10);
});
