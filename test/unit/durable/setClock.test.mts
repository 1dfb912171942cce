import type { IDataObject } from 'n8n-workflow';

import { sampled } from '../../support/sampled.mts';
import { VirtualEngine } from '../../support/virtualEngine.mts';
import { creationsOf, endOf, ID, MINUTE, started, TEN } from './batches.mts';
import { itemsOf, workflowOf } from './chaos/play.mts';

/**
 * The clock is set while a durable run is awake. What n8n has parked until then it wakes up by the new time, so
 * that a step of hours is not what is looked at here, but that a run which is awake goes on.
 */

const SECOND = 1000;
const HOUR = 60 * MINUTE;

const settings = {
	jobMs: { min: 20 * SECOND, max: 30 * SECOND },
	credits: { purchased: 1_000_000 },
};

/** When the last job was created, and the batch was over, ms after its start. */
async function timesOf(stepMs: number, afterMs: number) {
	const engine = await started({ settings }, afterMs);
	const startedAt = engine.clock.now() - afterMs;
	engine.machine.set(stepMs);
	for (let ms = 0; engine.store.row(ID).status !== 'success' && ms < 5 * HOUR; ms += SECOND) {
		await engine.clock.advance(SECOND);
	}
	const { status, items } = endOf(engine);
	expect(status).toBe('success');
	expect(items.map(({ json }) => json.status)).toEqual(TEN.map(() => 'completed'));
	expect(creationsOf(engine)).toBe(10);
	const made = engine.state.jobs.list.map(({ createdAt }) => createdAt - startedAt);
	return { made: Math.max(...made), over: engine.clock.now() - startedAt };
}

const STEPS: Array<[stepMs: number, afterMs: number]> = [
	[-3 * HOUR, 3 * SECOND],
	[-3 * HOUR, 15 * SECOND],
	[-10 * MINUTE, 15 * SECOND],
	[-20 * SECOND, 15 * SECOND],
	[20 * SECOND, 15 * SECOND],
	[HOUR, 15 * SECOND],
	[HOUR, 3 * SECOND],
];

test.each(sampled(STEPS, 4))(
	'a clock that is set by %i ms, after %i ms, holds up no creation',
	async (stepMs, afterMs) => {
		const undisturbed = await timesOf(0, afterMs);
		const { made, over } = await timesOf(stepMs, afterMs);
		// A clock that is set forth looks as if nothing new had come for as long: the run rests for five minutes at most.
		const restMs = stepMs > 0 ? 5 * MINUTE : 0;
		expect(made - undisturbed.made).toBeLessThan(MINUTE + restMs);
		// n8n looks once a minute for what is due.
		expect(over - undisturbed.over).toBeLessThan(2 * MINUTE + restMs);
	},
);

test.each([0, -10 * MINUTE, -3 * HOUR])(
	'a clock that is set by %i ms, while long jobs run, keeps nothing awake, and hides no end',
	async (stepMs) => {
		const jobMs = { min: 8 * MINUTE, max: 8 * MINUTE };
		const engine = await started({ settings: { ...settings, jobMs } }, 15 * SECOND);
		engine.machine.set(stepMs);
		await engine.clock.advance(3 * MINUTE);
		let awakeMs = 0;
		for (let ms = 0; ms < 3 * MINUTE; ms += SECOND) {
			await engine.clock.advance(SECOND);
			if (engine.store.list.some(({ status }) => status === 'running')) awakeMs += SECOND;
		}
		expect(awakeMs).toBeLessThan(MINUTE);
		await engine.clock.advance(20 * MINUTE);
		expect(endOf(engine)).toMatchObject({ status: 'success', error: undefined });
	},
);

/** What the history shows: prompts that the service has written anew, and a new job of somebody else. */
function retold(list: IDataObject[], now: number): IDataObject[] {
	const own = list.map((entry) => ({ ...entry, prompt: 'A picture.' }));
	const made = { id: 'theirs', prompt: 'A house.', status: 'processing', generation_type: 'image' };
	return [{ ...made, created_at: new Date(now).toISOString() }, ...own];
}

/** The latency of an answer is no shorter, ms. */
const STEP_MS = 4;

test.each([10 * MINUTE, HOUR])(
	'a clock that is set by %i ms, then a kill as a creation arrives: what the history hides is in doubt',
	async (stepMs) => {
		const engine: VirtualEngine = new VirtualEngine({
			settings,
			retell: (answer, { url }) =>
				url.includes('history') && Array.isArray(answer) && answer.length > 0
					? retold(answer as IDataObject[], engine.clock.now())
					: answer,
		});
		engine.boot();
		const workflow = workflowOf({ continueOnFail: true, then: 'end', savesProgress: false });
		void engine.trigger(workflow, itemsOf({ prompts: TEN }));
		await engine.clock.advance(15 * SECOND);
		expect(creationsOf(engine)).toBe(5);
		engine.machine.set(stepMs);
		for (let ms = 0; creationsOf(engine) === 5 && ms < 10 * MINUTE; ms += STEP_MS) {
			await engine.clock.advance(STEP_MS);
		}
		engine.kill();
		await engine.clock.advance(stepMs);
		engine.boot();
		await engine.clock.advance(60 * MINUTE);
		const prompts = engine.state.jobs.list.map(({ body }) => String(body.prompt));
		expect(prompts.filter((prompt, index) => prompts.indexOf(prompt) !== index)).toEqual([]);
		expect(JSON.stringify(endOf(engine).items)).toContain(
			'it may exist, and may have been paid for',
		);
	},
);
