import { ALL } from '../../support/sampled.mts';
import { drawPlan, type ChaosPlan } from './chaos/plan.mts';
import { playChaos } from './chaos/play.mts';
import { doubtsIn, fateOf, violations, type Fate } from './chaos/properties.mts';

/** Seeds of a test, and number of tests. */
const RUNS = 10;
const TESTS = 1;

const REPLAY = 'npx jest --selectProjects unit --testPathPatterns durable/chaos';

/** This one alone; or as many of them as that. */
const CHOSEN = process.env.CHAOS_SEED;
const MANY = Number(process.env.CHAOS_TESTS ?? TESTS);

const fates: Record<Fate, number> = { unparked: 0, crashed: 0, orphaned: 0, whole: 0 };

/** Items whose creation is in doubt, and jobs that are paid for. */
const counts = { doubts: 0, jobs: 0 };

/** How to run those again that nobody was left to wake up. */
const orphans: string[] = [];

/** What went wrong in a run, with how to run it again. */
async function failuresOf(plan: ChaosPlan, replay: string): Promise<string[]> {
	const found = await playChaos(plan).then(
		(play) => {
			fates[fateOf(play)] += 1;
			counts.doubts += fateOf(play) === 'whole' ? doubtsIn(play) : 0;
			counts.jobs += play.engine.state.jobs.list.length;
			if (fateOf(play) === 'orphaned') orphans.push(replay);
			return violations(play);
		},
		(error: Error) => [String(error.stack)],
	);
	return found.length > 0 ? [[replay, ...found].join('\n\t')] : [];
}

/** n8n is killed and started again at any time: nothing is lost, nothing is paid for twice. */
describe('a kill at a drawn time', () => {
	const tests =
		CHOSEN === undefined
			? Array.from({ length: MANY }, (_, test) => ({ from: test * RUNS + 1, runs: RUNS }))
			: [{ from: Number(CHOSEN), runs: 1 }];

	it.each(tests)('$runs runs from seed $from', async ({ from, runs }) => {
		const failures: string[] = [];
		for (let seed = from; seed < from + runs; seed++) {
			failures.push(...(await failuresOf(drawPlan(seed), `CHAOS_SEED=${seed} ${REPLAY}`)));
		}
		expect(failures).toEqual([]);
	});
});

(CHOSEN === undefined ? describe : describe.skip)('a kill at every instant', () => {
	const PLAN: ChaosPlan = {
		...drawPlan(0),
		settings: { seed: 7, jobMs: { min: 1500, max: 4000 }, queuedMs: 0 },
		faults: [],
		prompts: ['a', 'b', 'a'],
		pauses: false,
	};

	it.each([
		{ every: 1, downMs: 0, continueOnFail: true, savesProgress: false, hasLog: true },
		{ every: 3, downMs: 1_200_000, continueOnFail: false, savesProgress: true, hasLog: false },
	])('of a short batch, down for $downMs ms', async ({ every, ...settings }) => {
		const plan: ChaosPlan = { ...PLAN, ...settings };
		const { instants } = await playChaos({ ...plan, kill: undefined });
		expect(instants).toBeGreaterThan(60);
		const failures: string[] = [];
		for (let k = 1; k <= instants; k += ALL ? 1 : every) {
			const kill = { when: { instants: k }, downMs: settings.downMs };
			failures.push(...(await failuresOf({ ...plan, kill }, `after instant ${k}`)));
		}
		expect(failures).toEqual([]);
	});
});

test('they hit it before, while and after it waited', () => {
	// One chosen seed says nothing about all of them.
	if (CHOSEN !== undefined) return;
	const { unparked, crashed, orphaned, whole } = fates;
	const told = JSON.stringify({ ...fates, ...counts });
	console.log([`What became of the executions: ${told}`, ...orphans].join('\n'));
	expect([unparked, crashed, whole].map((count) => count > 0)).toEqual([true, true, true]);
	// It takes a kill in the few milliseconds in which worker and watcher are awake.
	const all = unparked + crashed + orphaned + whole;
	expect(orphaned / all).toBeLessThanOrEqual(0.02);
});
