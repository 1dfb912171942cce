import { type Outage, VirtualNetwork } from '../../support/virtualNetwork.mts';
import { VirtualClock } from '../../support/virtualClock.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';

/** The machine of n8n sleeps for longer than Timeout: timers stand still, the time of day goes on. */

const SLEEPS_AT_MS = 20_000;
const MINUTE = 60_000;

/** A clock that jumps ahead by so much, once so much has passed. */
class SleepingClock extends VirtualClock {
	private sleptMs = 0;

	constructor() {
		super();
		const awake = this.now;
		Object.assign(this, { now: () => awake() + this.sleptMs });
	}

	sleepsAt(afterMs: number, ms: number): void {
		void this.sleep(afterMs).then(() => (this.sleptMs += ms));
	}
}

async function slept(ms: number, outages: Outage[] = []) {
	const clock = new SleepingClock();
	const network = new VirtualNetwork(clock, {
		settings: { jobMs: { min: 60_000, max: 90_000 }, credits: { purchased: 100_000 } },
		outages,
	});
	const n8n = new VirtualN8n({}, {}, { clock, network });
	clock.sleepsAt(SLEEPS_AT_MS, ms);
	const parameters = (item: number) => ({
		resource: 'image',
		operation: 'generate',
		size: '1:1',
		prompt: `p ${item}`,
		options: {},
	});
	const items = Array.from({ length: 10 }, () => ({}));
	return { ...(await clock.run(n8n.execute({ items, parameters }))), state: network.state };
}

test.each([
	['is there at once', 0],
	['is there after 3 seconds', 3000],
	['is there after a minute', MINUTE],
])('the network %s', async (_, ms) => {
	const fromMs = 20 * MINUTE;
	const down = { fromMs, toMs: fromMs + SLEEPS_AT_MS + ms, code: 'ENOTFOUND' };
	const { error, items, state } = await slept(20 * MINUTE, [down]);
	expect(error).toBeUndefined();
	expect(items.map(({ json }) => json.status)).toEqual(Array(10).fill('completed'));
	expect(state.jobs.list).toHaveLength(10);
});
