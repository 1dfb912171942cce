import type { IDataObject } from 'n8n-workflow';

import { VirtualEngine } from '../../support/virtualEngine.mts';
import { endOf, MINUTE, TEN } from './batches.mts';
import { itemsOf, workflowOf } from './chaos/play.mts';

/** What a worker notes before it creates: stored just before it is sent, and only where there is a place. */

/** What a worker has noted, as n8n stores it. */
const NOTED = /"intents":\{"at":[\d.]+,"items":\[([\d,]+)\]/;

const notedIn = (text: string) => NOTED.exec(text)?.[1]?.split(',').length ?? 0;

const promptsOf = ({ state }: VirtualEngine) =>
	state.jobs.list.map(({ body }) => String(body.prompt));

/** Advances by steps of 50 ms until it is so. */
async function until(engine: VirtualEngine, isSo: () => boolean): Promise<void> {
	for (let i = 0; !isSo() && i < 20_000; i++) await engine.clock.sleep(50);
	expect(isSo()).toBe(true);
}

/**
 * The credential cannot be read for one tick, so that the worker parks with an error; n8n is down for
 * a while; then it is killed as the next creation leaves.
 */
async function parkedWithAnError(downMs: number) {
	let phase: 'before' | 'parked' | 'up' | 'killed' = 'before';
	let before = 0;
	const sent = () => engine.state.journal.ofKind('create').length;
	const engine = new VirtualEngine({
		settings: { jobMs: { min: 4000, max: 9000 }, queuedMs: 0, credits: { purchased: 1_000_000 } },
		onInstant: (instant) => {
			if (phase !== 'up' || instant !== 'sent' || sent() === before) return;
			phase = 'killed';
			engine.kill();
		},
	});
	engine.store.onWrite = (text) => {
		if (phase !== 'before' || engine.state.jobs.list.length < 6 || notedIn(text) === 0) return;
		phase = 'parked';
		engine.loseCredential();
	};
	const story = async () => {
		engine.boot();
		const workflow = workflowOf({ continueOnFail: false, then: 'end', savesProgress: false });
		void engine.trigger(workflow, itemsOf({ prompts: TEN }));
		await until(engine, () => phase === 'parked');
		await engine.clock.sleep(2000);
		engine.kill();
		await engine.clock.sleep(downMs);
		before = sent();
		engine.boot();
		phase = 'up';
		await until(engine, () => phase === 'killed');
		await engine.clock.sleep(5000);
		engine.boot();
		await engine.clock.sleep(120 * MINUTE);
	};
	await engine.clock.run(story());
	return engine;
}

test.each([1, 15, 60])(
	'noted, not sent for an error, n8n down for %i minutes, killed as it is sent: paid once',
	async (minutes) => {
		const prompts = promptsOf(await parkedWithAnError(minutes * MINUTE));
		expect(prompts.filter((prompt, index) => prompts.indexOf(prompt) !== index)).toEqual([]);
	},
);

/** How many jobs an account may have running: creations of a batch before its first job has ended. */
const FIRST = 5;

/** What the history shows: prompts that the service has written anew, and a new job of somebody else. */
function retold(list: IDataObject[], now: number): IDataObject[] {
	const own = list.map((entry) => ({ ...entry, prompt: 'A picture.' }));
	const made = { id: 'theirs', prompt: 'A house.', status: 'processing', generation_type: 'image' };
	return [{ ...made, created_at: new Date(now).toISOString() }, ...own];
}

test('noted just before the machine sleeps, killed as it is sent after that: in doubt, and paid once', async () => {
	const engine: VirtualEngine = new VirtualEngine({
		settings: { jobMs: { min: 20_000, max: 30_000 }, queuedMs: 0, credits: { purchased: 1e6 } },
		onInstant: (instant) => {
			if (phase === 'before' && instant === 'save' && isNoted()) {
				phase = 'slept';
				engine.clock.suspend(10 * MINUTE);
			} else if (phase === 'slept' && sent() > FIRST) {
				phase = 'killed';
				engine.kill();
			}
		},
		retell: (answer, { url }) =>
			url.includes('history') && Array.isArray(answer) && answer.length > 0
				? retold(answer as IDataObject[], engine.clock.now())
				: answer,
	});
	let phase: 'before' | 'slept' | 'killed' = 'before';
	const sent = () => engine.state.journal.ofKind('create').length;
	const isNoted = () => sent() === FIRST && engine.store.list.some(({ data }) => notedIn(data) > 0);
	const story = async () => {
		engine.boot();
		const workflow = workflowOf({ continueOnFail: true, then: 'end', savesProgress: false });
		void engine.trigger(workflow, itemsOf({ prompts: TEN }));
		await until(engine, () => phase === 'killed');
		await engine.clock.sleep(10 * MINUTE);
		engine.boot();
		await engine.clock.sleep(60 * MINUTE);
	};
	await engine.clock.run(story());
	const prompts = promptsOf(engine);
	expect(prompts.filter((prompt, index) => prompts.indexOf(prompt) !== index)).toEqual([]);
	expect(JSON.stringify(endOf(engine).items)).toContain('it may exist, and may have been paid for');
});

test('eight runs of one account never have more noted than the account may have running', async () => {
	const engine = new VirtualEngine({
		settings: { jobMs: { min: 4000, max: 9000 }, queuedMs: 0, credits: { purchased: 1_000_000 } },
	});
	const noted = new Map<string, number>();
	let most = 0;
	engine.store.onWrite = () => {
		for (const { id, workflow, status, data } of engine.store.list)
			if (workflow.name.endsWith(': work'))
				noted.set(id, ['running', 'waiting'].includes(status) ? notedIn(data) : 0);
		most = Math.max(
			most,
			[...noted.values()].reduce((sum, one) => sum + one, 0),
		);
	};
	const workflow = workflowOf({ continueOnFail: false, then: 'end', savesProgress: false });
	const story = async () => {
		engine.boot();
		for (let run = 0; run < 8; run++)
			void engine.trigger(
				workflow,
				itemsOf({ prompts: TEN.slice(0, 5).map((one) => `${run} ${one}`) }),
			);
		await engine.clock.sleep(30 * MINUTE);
	};
	await engine.clock.run(story());
	expect(new Set(promptsOf(engine)).size).toBe(40);
	expect(engine.state.jobs.list).toHaveLength(40);
	expect(most).toBeGreaterThan(0);
	expect(most).toBeLessThanOrEqual(5);
});

test('killed as a creation leaves: its item is in doubt, and names the job that the history shows', async () => {
	const engine = new VirtualEngine({
		settings: { jobMs: { min: 4000, max: 9000 }, queuedMs: 0, credits: { purchased: 1_000_000 } },
		onInstant: (instant) => {
			const isMade = engine.state.jobs.list.length === 1;
			if (engine.isUp && instant === 'sent' && isMade && !wasKilled) {
				wasKilled = true;
				engine.kill();
			}
		},
	});
	let wasKilled = false;
	const story = async () => {
		engine.boot();
		const workflow = workflowOf({ continueOnFail: true, then: 'end', savesProgress: false });
		void engine.trigger(workflow, itemsOf({ prompts: TEN.slice(0, 1) }));
		await until(engine, () => wasKilled);
		await engine.clock.sleep(MINUTE);
		engine.boot();
		await engine.clock.sleep(60 * MINUTE);
	};
	await engine.clock.run(story());
	const [job, ...more] = engine.state.jobs.list;
	expect(more).toEqual([]);
	const { items } = endOf(engine);
	expect(JSON.stringify(items)).toContain('it may exist, and may have been paid for');
	expect(JSON.stringify(items)).toContain(job?.id);
});
