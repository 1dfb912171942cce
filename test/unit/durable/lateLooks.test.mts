import type { FaultRuleInput } from '../../../sandbox/faults.mts';
import { creationsOf, endOf, expectWhole, MINUTE, started } from './batches.mts';
import { openIn } from './chaos/play.mts';
import { toldBy } from '../../support/toldBy.mts';

/** n8n is down for longer than Timeout: what has ended meanwhile is found, whatever the first look meets. */

const SHORT = { jobMs: { min: 20_000, max: 30_000 }, credits: { purchased: 1_000_000 } };
const DOWN_MS = 15 * MINUTE;

/** A batch whose first five jobs run while n8n is down; so many of its looks meet that, then. */
async function wokenLate(fault: FaultRuleInput['fault'], times: number, timeout = 600) {
	const engine = await started({ settings: SHORT, timeout }, 15_000);
	expect(creationsOf(engine)).toBe(5);
	engine.kill();
	await engine.clock.advance(DOWN_MS);
	engine.state.faults.add({ match: { kind: 'status' }, fault, times });
	engine.boot();
	return engine;
}

test.each([
	['no answer', { kind: 'hang' }, 5],
	['a minute of 503', { kind: 'status', status: 503 }, 30],
] as const)('the looks after the start meet %s', async (_, fault, times) => {
	const engine = await wokenLate(fault, times);
	await engine.clock.advance(60 * MINUTE);
	expectWhole(engine);
});

test('a service that never answers ends the run, with what was seen', async () => {
	const engine = await wokenLate({ kind: 'status', status: 503 }, Infinity);
	const from = engine.state.journal.entries.length;
	await engine.clock.advance(8 * 60 * MINUTE);
	const { status, error } = endOf(engine);
	expect(status).toBe('error');
	expect(error?.message).toContain('was not seen to finish within 600 seconds');
	expect(error?.description).toContain('may go on at the service');
	for (const { id } of engine.state.jobs.list) expect(toldBy(error)).toContain(id);
	expect(openIn(engine)).toEqual([]);
	// It does not keep n8n or the service busy meanwhile.
	expect(engine.state.journal.entries.length - from).toBeLessThan(300);
});
