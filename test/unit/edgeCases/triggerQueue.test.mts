import { ALL, firstOf } from '../../support/sampled.mts';
import { VirtualPolling } from '../../support/virtualPoll.mts';
import { BASE_URL } from '../../support/virtualNetwork.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** Triggers for an hour take their time on a busy machine. */
jest.setTimeout(180_000);

const MINUTE_MS = 60_000;

const JOBS = ALL ? 100 : 20;
/** All have told of them by then. */
const HEARD_BY_MS = (ALL ? 60 : 20) * MINUTE_MS;

const TRIGGERS = 5;

/** In queue mode, triggers poll in the main process, and a batch runs in a worker. */
async function run(seed: number, workflows: number, urls: boolean, isWorker = true) {
	const n8n = new VirtualN8n({
		settings: {
			seed,
			jobMs: { min: 5000, max: 15_000 },
			credits: { purchased: 1_000_000 },
			shapes: { list: { entries: { urls } } },
		},
	});
	const { clock, state, network, credential } = n8n;
	// Another address of the service: what a process knows of the account goes by it.
	const main = { ...credential, baseUrl: 'https://main.example' };
	const site = {
		clock,
		state,
		credential: main,
		network: {
			send: async (request: Parameters<typeof network.send>[0]) => {
				request.url = request.url.replace(main.baseUrl, BASE_URL);
				return await network.send(request);
			},
		},
	};
	const polling = new VirtualPolling(isWorker ? site : n8n);
	for (let one = 0; one < workflows; one++) polling.add();
	for (const each of polling.workflows) await clock.run(each.activate());
	await clock.advance(2 * MINUTE_MS);
	const execution = await clock.run(
		n8n.execute({
			items: Array.from({ length: JOBS }, (_, index) => ({ prompt: `p${index}` })),
			parameters: (index) => ({
				resource: 'image',
				operation: 'generate',
				size: '1:1',
				prompt: `p${index}`,
				waitForCompletion: true,
				options: { timeout: 3600 },
			}),
			kind: 'image',
		}),
	);
	await clock.advance(HEARD_BY_MS);
	polling.stop();
	return {
		ms: execution.endedAt - execution.startedAt,
		withoutMedia: polling.workflows.flatMap(({ items }) =>
			items.filter(({ json }) => json.mediaUrl === null),
		).length,
		told: polling.workflows.map(({ items }) => items.length),
	};
}

it.each(
	firstOf(
		[
			{ triggers: 5, urls: false },
			{ triggers: 5, urls: true },
			{ triggers: 1, urls: false },
		],
		1,
	),
)(
	'in queue mode, a batch is not slower for $triggers triggers (URLs in lists: $urls)',
	async ({ triggers, urls }) => {
		const times: number[] = [];
		for (const seed of firstOf([1, 2, 3], 1)) {
			const alone = await run(seed, 0, urls);
			const beside = await run(seed, triggers, urls);
			expect(beside.told.every((count) => count === JOBS)).toBe(true);
			times.push(beside.ms / alone.ms);
		}
		expect(times.reduce((sum, time) => sum + time, 0) / times.length).toBeLessThanOrEqual(
			ALL ? 1.05 : 1.07,
		);
	},
);

it('in one process, a batch is told of in an hour, with its media (no URLs in lists)', async () => {
	const alone = await run(1, 0, false, false);
	const { ms, told, withoutMedia } = await run(1, TRIGGERS, false, false);
	expect({ isAll: told.every((count) => count === JOBS), withoutMedia }).toEqual({
		isAll: true,
		withoutMedia: 0,
	});
	expect(ms / alone.ms).toBeLessThanOrEqual(ALL ? 1.05 : 1.07);
});
