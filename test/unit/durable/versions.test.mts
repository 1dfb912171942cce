import type { IDataObject } from 'n8n-workflow';

import type { VirtualEngine } from '../../support/virtualEngine.mts';
import { IMAGES, openIn } from './chaos/play.mts';
import { creationsOf, endOf, MINUTE, started } from './batches.mts';

/** The jobs run that long, so that all is parked soon. */
const settings = { jobMs: { min: 30 * MINUTE, max: 30 * MINUTE } };

/** What else is parked with a version. */
const PARKED = ['mediaGenWork', 'mediaGenSupervisor', 'mediaGenDurable', 'mediaGenResume'];

/** A package of another version has parked all that is parked: its number, or none. */
function parkAs(version: number | undefined, engine: VirtualEngine): void {
	const change = (at: unknown): void => {
		if (typeof at !== 'object' || at === null) return;
		for (const [name, value] of Object.entries(at)) {
			if (PARKED.includes(name)) (value as IDataObject).version = version;
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
	engine.store.list.find(({ workflow }) => workflow.name === `${IMAGES}: work`)!;

describe.each([
	['an older version, that had no number', undefined],
	['a newer version', 99],
])('%s has parked a durable run', (_, version) => {
	test.each([
		['its worker is awake', false, 5],
		['its worker was killed, and its supervisor wakes up', true, 5],
	])('%s: nothing more is paid for, and the error names the jobs', async (__, isStale, jobs) => {
		const engine = await started({ settings }, 10 * MINUTE);
		expect(creationsOf(engine)).toBe(jobs);
		engine.kill();
		parkAs(version, engine);
		if (isStale) Object.assign(workerOf(engine), { status: 'crashed', waitTill: null });
		engine.boot();
		await engine.clock.advance(40 * MINUTE);
		expect(creationsOf(engine)).toBe(jobs);
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

	test('results that are on their way: they may mean something else by now, and the error names them', async () => {
		const engine = await started({ settings: { jobMs: { min: 1000, max: 1000 } } }, 0);
		const isDelivered = () =>
			engine.store.list.some(
				({ workflow, status }) => workflow.name === `${IMAGES}: resume` && status === 'waiting',
			);
		while (!isDelivered()) await engine.clock.advance(1000);
		engine.kill();
		parkAs(version, engine);
		engine.boot();
		await engine.clock.advance(40 * MINUTE);
		expect(creationsOf(engine)).toBe(10);
		const { status, error } = endOf(engine);
		expect(status).toBe('error');
		for (const { id } of engine.state.jobs.list) expect(error?.message).toContain(id);
		expect(openIn(engine)).toEqual([]);
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
