import type { IDataObject } from 'n8n-workflow';

import { VirtualEngine } from '../../support/virtualEngine.mts';
import { endOf, MINUTE, TEN } from './batches.mts';
import { itemsOf, recover, workflowOf } from './chaos/play.mts';

/** What was about to be created when n8n died may be paid for, whatever goes wrong after that. */

const SETTINGS = {
	jobMs: { min: 4000, max: 9000 },
	queuedMs: 0,
	credits: { purchased: 1_000_000 },
};

/** At whether n8n has been killed: then the story has not come to its point, and the test fails. */
const MOST_LOOKS = 20_000;

const adviceIn = ({ charged, retry }: IDataObject) => [charged, retry];

/** n8n is killed when the first creations have reached the service, and started again a minute later. */
async function killedWhileCreating({ continueOnFail = true, isLost = true }) {
	let isKilled = false;
	const engine = new VirtualEngine({
		settings: SETTINGS,
		onInstant: () => {
			if (isKilled || !engine.isUp || engine.state.jobs.list.length === 0) return;
			isKilled = true;
			engine.kill();
		},
	});
	await engine.clock.run(
		(async () => {
			engine.boot();
			const workflow = workflowOf({ continueOnFail, then: 'end', savesProgress: false });
			void engine.trigger(workflow, itemsOf({ prompts: TEN.slice(0, 3) }));
			for (let looks = 0; !isKilled && looks < MOST_LOOKS; looks++) await engine.clock.sleep(50);
			await engine.clock.sleep(MINUTE);
			engine.boot();
			if (isLost) engine.loseCredential();
			await engine.clock.sleep(120 * MINUTE);
		})(),
	);
	return engine;
}

test('and the credential is gone: nobody is told that nothing was charged', async () => {
	const engine = await killedWhileCreating({});
	const { items } = endOf(engine);
	expect(engine.state.jobs.list.length).toBeGreaterThan(0);
	expect(items.map(({ json }) => adviceIn(json))).toEqual(
		items.map(() => ['unknown', 'lookFirst']),
	);
	for (const { json } of items) {
		expect(json.error).toContain('n8n ended while this job was being created');
	}
});

test('the same, as an error of the whole run', async () => {
	const { error } = endOf(await killedWhileCreating({ continueOnFail: false }));
	const { message, description } = error as unknown as { message: string; description: string };
	expect(`${message} ${description}`).toContain('may have been paid for');
});

/**
 * A job has failed in process, and a person lets the execution go on with durable waiting: n8n is killed as the new
 * order is noted, or has reached the service, and nobody works for it any more.
 */
async function retriedAndLost(isSent: boolean) {
	let isArmed = false;
	let isKilled = false;
	const isNoted = (data: unknown) =>
		/"intents\\?":\{\\?"at\\?":[\d.]+,\\?"items\\?":\[0/.test(String(data));
	const engine = new VirtualEngine({
		settings: SETTINGS,
		onInstant: () => {
			if (!isArmed || isKilled || !engine.isUp) return;
			const { length } = engine.state.jobs.list;
			const noted = engine.store.list.some(({ id, data }) => id !== '1' && isNoted(data));
			if (isSent ? length < 2 : !noted || length > 1) return;
			isKilled = true;
			engine.kill();
		},
	});
	const creations = () => engine.state.journal.ofKind('create').length;
	return await engine.clock.run(
		(async () => {
			engine.boot();
			const workflow = workflowOf({ continueOnFail: false, then: 'end', savesProgress: false });
			const options = (nodes: typeof workflow.nodes) =>
				nodes.find(({ name }) => name === 'Images')!.parameters.options as IDataObject;
			options(workflow.nodes).waitMode = 'inProcess';
			await engine.trigger(workflow, itemsOf({ prompts: ['x [fail]'] }));
			await engine.clock.sleep(MINUTE);
			const row = engine.store.row('1');
			options(row.workflow.nodes as typeof workflow.nodes).waitMode = 'durable';
			row.data = String(row.data).replaceAll('"waitMode":"inProcess"', '"waitMode":"durable"');
			engine.state.settings.failPrompt = 'never';
			isArmed = true;
			const before = engine.store.list.map(({ id }) => id);
			void engine.retry('1').catch(() => {});
			for (let looks = 0; !isKilled && looks < MOST_LOOKS; looks++) await engine.clock.sleep(20);
			const retried = engine.store.list.find(({ id }) => !before.includes(id))!.id;
			for (const helper of engine.store.list) {
				if (helper.id !== retried) Object.assign(helper, { status: 'crashed', waitTill: null });
			}
			await engine.clock.sleep(5000);
			engine.boot();
			await engine.clock.sleep(40 * MINUTE);
			const sent = creations();
			const known = await recover(engine, retried);
			await engine.clock.sleep(90 * MINUTE);
			return { engine, known, sent, sentAfter: creations() };
		})(),
	);
}

test.each([
	['was sent', true],
	['was noted', false],
])(
	'a new order after a failed job that %s: Recover names both, and nothing is created',
	async (_, isSent) => {
		const { engine, known, sent, sentAfter } = await retriedAndLost(isSent);
		expect(sentAfter).toBe(sent);
		const [failed] = engine.state.jobs.list;
		expect(known.map(({ jobId, ...advice }) => [jobId, ...adviceIn(advice)])).toEqual([
			[failed!.id, 'yes', 'paysAgain'],
			[null, 'unknown', 'lookFirst'],
		]);
	},
);
