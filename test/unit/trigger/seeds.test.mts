import { tell } from './tell.mts';
import { violations } from './truths.mts';

/** Stories of a test, and number of tests: 500 stories, unless TRIGGER_TESTS asks for more. */
const RUNS = 50;
const TESTS = Number(process.env.TRIGGER_TESTS ?? 10);

const REPLAY = 'npx jest --selectProjects unit --testPathPatterns trigger/seeds';

/** Of what is wrong with one story. */
const SHOWN = 5;

/** This one alone. */
const CHOSEN = process.env.TRIGGER_SEED;

/** What went wrong in the story of a seed, with how to tell it again. */
async function failuresOf(seed: number): Promise<string[]> {
	const found = await tell(seed).then(violations, (error: Error) => [String(error.stack)]);
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
});
