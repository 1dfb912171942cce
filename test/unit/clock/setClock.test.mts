import type { IDataObject } from 'n8n-workflow';

import { sampled } from '../../support/sampled.mts';
import type { Outage } from '../../support/virtualNetwork.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/**
 * Somebody, or a time server, sets the clock of the machine; the service has its own. How long a run takes, and
 * what comes of it, does not depend on that.
 */

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const STEPS = [-5 * HOUR, -10 * MINUTE, -20 * SECOND, 20 * SECOND, HOUR];

/** Each has an account of its own. */
let accounts = 0;

function start({ jobMs, outages }: { jobMs: number; outages?: Outage[] }) {
	const n8n = new VirtualN8n(
		{ outages, settings: { jobMs: { min: jobMs, max: jobMs }, credits: { purchased: 100_000 } } },
		{ note: String(++accounts) },
	);
	const execute = async (count: number, options: IDataObject = {}) =>
		await n8n.execute({
			items: Array.from({ length: count }, () => ({})),
			parameters: (i) => ({
				resource: 'image',
				operation: 'generate',
				size: '1:1',
				prompt: `p ${i}`,
				options: { timeout: 600, ...options },
			}),
		});
	return { n8n, execute };
}

/** How long an execution of so many images takes, ms, where the clock is set meanwhile, and each of its jobs. */
async function timeOf(count: number, jobMs: number, stepMs: number, setAfterMs: number) {
	const { n8n, execute } = start({ jobMs });
	void n8n.clock.sleep(setAfterMs).then(() => n8n.machine.set(stepMs));
	const { startedAt, endedAt, items, error } = await n8n.clock.run(execute(count));
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.status)).toEqual(Array(count).fill('completed'));
	return [endedAt - startedAt, ...items.map(({ json }) => Number(Object(json.details).waitedMs))];
}

describe.each(STEPS)('a clock that is set by %i ms', (stepMs) => {
	test.each(
		sampled(
			[
				{ count: 1, jobMs: 8 * SECOND, setAfterMs: 3 * SECOND },
				{ count: 7, jobMs: 8 * SECOND, setAfterMs: 3 * SECOND },
				{ count: 7, jobMs: 8 * SECOND, setAfterMs: 9 * SECOND },
				{ count: 3, jobMs: 90 * SECOND, setAfterMs: 40 * SECOND },
			],
			2,
		),
	)(
		'during $count jobs of $jobMs ms, after $setAfterMs ms, changes nothing',
		async ({ count, jobMs, setAfterMs }) => {
			const undisturbed = await timeOf(count, jobMs, 0, setAfterMs);
			const times = await timeOf(count, jobMs, stepMs, setAfterMs);
			// To half a second.
			expect(times).toEqual(undisturbed.map((ms) => expect.closeTo(ms, -3)));
		},
	);

	test('between two runs makes the second no longer', async () => {
		const msOfSecond = async (ms: number) => {
			const { n8n, execute } = start({ jobMs: 4 * SECOND });
			await n8n.clock.run(execute(5));
			n8n.machine.set(ms);
			const { startedAt, endedAt, items } = await n8n.clock.run(execute(5));
			expect(items).toHaveLength(5);
			return endedAt - startedAt;
		};
		expect(await msOfSecond(stepMs)).toBeLessThanOrEqual((await msOfSecond(0)) + SECOND);
	});

	test('before Retry execution does not keep it from the jobs that are paid for', async () => {
		const { n8n, execute } = start({ jobMs: 30 * SECOND });
		const first = await n8n.clock.run(execute(5, { timeout: 5 }));
		expect(first.error?.message).toContain('was not seen to finish');
		n8n.machine.set(stepMs);
		await n8n.clock.advance(40 * SECOND);
		const { startedAt, endedAt, items } = await n8n.clock.run(n8n.retry(first));
		expect(items.map(({ json }) => json.status)).toEqual(Array(5).fill('completed'));
		expect(endedAt - startedAt).toBeLessThan(10 * SECOND);
		expect(n8n.state.account.charges).toHaveLength(5);
	});

	test('makes no wait end before its time, and none after it', async () => {
		const { n8n, execute } = start({ jobMs: HOUR });
		void n8n.clock.sleep(MINUTE).then(() => n8n.machine.set(stepMs));
		const { startedAt, endedAt, error } = await n8n.clock.run(execute(1, { timeout: 300 }));
		expect(error?.message).toContain('was not seen to finish');
		expect(endedAt - startedAt).toBeGreaterThanOrEqual(300 * SECOND);
		expect(endedAt - startedAt).toBeLessThan(310 * SECOND);
	});
});

test.each([0, 3, 60])(
	'a machine that sleeps for 20 minutes, with a network that is back %i s later, gives all of ten jobs',
	async (lateS) => {
		const toMs = 20 * MINUTE + 20 * SECOND + lateS * SECOND;
		const outages = [{ fromMs: 20 * MINUTE, toMs, code: 'ENOTFOUND' }];
		const { n8n, execute } = start({ jobMs: MINUTE, outages });
		void n8n.clock.sleep(20 * SECOND).then(() => n8n.clock.suspend(20 * MINUTE));
		const { startedAt, endedAt, items, error } = await n8n.clock.run(execute(10));
		expect(error).toBeUndefined();
		expect(items.map(({ json }) => json.status)).toEqual(Array(10).fill('completed'));
		expect(endedAt - startedAt - 20 * MINUTE).toBeLessThan(2.5 * MINUTE + 2 * lateS * SECOND);
		expect(n8n.state.account.charges).toHaveLength(10);
	},
);
