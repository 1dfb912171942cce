import type { IDataObject } from 'n8n-workflow';

import { VirtualN8n } from '../../support/virtualRun.mts';
import { endOf, MINUTE, started } from './batches.mts';

/** *Continue (using error output)*: a row leaves a durable run as it leaves one that waits in process. */

const onError = 'continueErrorOutput';
const PROMPTS = ['a', 'b [fail]', ''];
const settings = { jobMs: { min: 10 * MINUTE, max: 10 * MINUTE } };

async function durably() {
	const engine = await started({ prompts: PROMPTS, onError, settings }, 30 * MINUTE);
	expect(engine.resumptions.length).toBeGreaterThan(0);
	const { status, items } = endOf(engine);
	expect(status).toBe('success');
	return { items, jobs: engine.state.jobs.list };
}

async function inProcess() {
	const n8n = new VirtualN8n({ settings });
	const { items } = await n8n.clock.run(
		n8n.execute({
			items: PROMPTS.map((prompt) => ({ prompt })),
			parameters: {
				resource: 'image',
				operation: 'generate',
				prompt: '={{ $json.prompt }}',
				size: '1:1',
				options: { timeout: 7200 },
			},
			node: { onError },
		}),
	);
	return { items, jobs: n8n.state.jobs.list };
}

/** What depends on the moment. */
const OF_THE_MOMENT = ['creditsRemaining', 'createdAt', 'completedAt', 'waitedMs'];

/** The items with the same names for the same jobs, and without what depends on the moment. */
function comparable({ items, jobs }: Awaited<ReturnType<typeof inProcess>>): IDataObject[] {
	const named = jobs.reduce(
		(text, { id, body }) => text.replaceAll(id, `job of ${String(body.prompt)}`),
		JSON.stringify(items.map(({ json }) => json)),
	);
	return JSON.parse(named, (name, value: unknown) =>
		OF_THE_MOMENT.includes(name) ? undefined : value,
	) as IDataObject[];
}

test('a row that failed is nothing but error and message, and says the same', async () => {
	const durable = comparable(await durably());
	expect(durable[1]).toEqual({
		error: expect.stringContaining('job of b [fail]'),
		message: expect.objectContaining({ status: 'failed', jobId: 'job of b [fail]' }),
	});
	expect(Object.keys(durable[2]!)).toEqual(['error', 'message']);
	expect(durable.slice(1)).toEqual(comparable(await inProcess()).slice(1));
});

test('so is each row of a run whose credential is gone before its items are made', async () => {
	const engine = await started({ prompts: ['a', 'b'], onError, settings }, 2 * MINUTE);
	engine.loseCredential();
	await engine.clock.advance(30 * MINUTE);
	const { status, items } = endOf(engine);
	expect(status).toBe('success');
	const { list } = engine.state.jobs;
	const ids = ['a', 'b'].map((prompt) => list.find(({ body }) => body.prompt === prompt)!.id);
	expect(items.map(({ json }) => json)).toEqual(
		ids.map((jobId) => ({
			error: expect.any(String),
			message: expect.objectContaining({ status: 'failed', jobId, charged: 'yes' }),
		})),
	);
});
