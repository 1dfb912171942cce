import { ALL } from '../../support/sampled.mts';
import { Tally } from './tally.mts';
import { tell } from './tell.mts';
import { violations } from './truths.mts';

/** Stories of a test, and number of tests: 100 stories, every night 500; TRIGGER_TESTS asks for more. */
const RUNS = 50;
const TESTS = Number(process.env.TRIGGER_TESTS ?? (ALL ? 10 : 2));

const REPLAY = 'npx jest --selectProjects unit --testPathPatterns trigger/seeds';

/** Of what is wrong with one story. */
const SHOWN = 5;

/** This one alone. */
const CHOSEN = process.env.TRIGGER_SEED;

const tally = new Tally();

/** What went wrong in the story of a seed, with how to tell it again. */
async function failuresOf(seed: number): Promise<string[]> {
	const found = await tell(seed).then(
		(told) => {
			tally.add(told);
			return violations(told);
		},
		(error: Error) => [String(error.stack)],
	);
	if (found.length === 0) return [];
	const more = found.length > SHOWN ? [`and ${found.length - SHOWN} more`] : [];
	return [[`TRIGGER_SEED=${seed} ${REPLAY}`, ...found.slice(0, SHOWN), ...more].join('\n\t')];
}

/** Every seed is a story of jobs, lists that lie, faults and people; each job is told once. */
describe('triggers', () => {
	const tests =
		CHOSEN === undefined
			? Array.from({ length: TESTS }, (_, test) => ({ from: test * RUNS + 1, runs: RUNS }))
			: [{ from: Number(CHOSEN), runs: 1 }];

	it.each(tests)(
		'$runs stories from seed $from: each wanted job once, no other',
		async ({ from, runs }) => {
			const failures: string[] = [];
			for (let seed = from; seed < from + runs; seed++) failures.push(...(await failuresOf(seed)));
			if (failures.length > 0) throw new Error(failures.join('\n'));
		},
		120_000,
	);

	it('have had every chance to go wrong', () => {
		if (CHOSEN !== undefined) return;
		const kinds = ['status', 'reset', 'hang', 'garbage', 'slow'];
		const expected = [
			...kinds.flatMap((kind) => ['list', 'status'].map((route) => `${kind} at ${route}`)),
			...['process', 'tasks', 'cursors'].map((keeping) => `keeping in ${keeping}`),
			...['newest', 'oldest', 'shuffled', 'fixed'].map((order) => `order ${order}`),
			...['all', 'ended', 'image', 'video'].map((lists) => `lists ${lists}`),
			...['array', 'results', 'items', 'data', 'dataResults'].map((body) => `body ${body}`),
			...['maxPage', 'repeats', 'ignoresOffset', 'keeps', 'restart', 'skew'],
			...['workflow on', 'workflow off', 'workflow edit', 'overlaps', 'failures'],
		];
		const rare = expected.filter((what) => !((tally.counts[what] ?? 0) >= 3));
		expect({ rare, counts: tally.counts }).toEqual({ rare: [], counts: tally.counts });
		expect(tally.counts['fired completed']).toBeGreaterThan(300 * TESTS);
		expect(tally.counts['fired failed']).toBeGreaterThan(30 * TESTS);
	});
});
