import { ALL } from '../../support/sampled.mts';
import { tell, type Told } from './tell.mts';
import { violations } from './truths.mts';

/** Stories of a test, and number of tests: 40 stories, every night 500; TRIGGER_TESTS asks for more. */
const RUNS = 20;
const TESTS = Number(process.env.TRIGGER_TESTS ?? (ALL ? 25 : 2));

const REPLAY = 'npx jest --selectProjects unit --testPathPatterns trigger/seeds';

/** This one alone. */
const CHOSEN = process.env.TRIGGER_SEED;

/** How often there was something to get wrong, over all stories. */
const counts: Record<string, number> = {};

const count = (what: string, times = 1) => (counts[what] = (counts[what] ?? 0) + times);

function tally({ story, n8n, triggers }: Told): void {
	const { order = '', lists = '', body = '', ...list } = story.settings.shapes!.list!;
	for (const what of [`order ${order}`, `lists ${lists}`, `body ${body}`]) count(what);
	if (list.maxPage) count('maxPage');
	for (const { kind } of story.happenings) count(kind);
	for (const { kind, fault } of n8n.state.journal.entries) if (fault) count(`${fault} at ${kind}`);
	for (const { workflow, deeds } of triggers) {
		for (const { kind } of deeds) count(`workflow ${kind}`);
		count('overlaps', workflow.overlaps);
		count('failures', workflow.failures.length);
		for (const { json } of workflow.items) count(`fired ${String(json.status)}`);
	}
}

/** What went wrong in the story of a seed, with how to tell it again. */
async function failuresOf(seed: number): Promise<string[]> {
	const found = await tell(seed).then(
		(told) => {
			tally(told);
			return violations(told);
		},
		(error: Error) => [String(error.stack)],
	);
	return found.length > 0 ? [[`TRIGGER_SEED=${seed} ${REPLAY}`, ...found].join('\n\t')] : [];
}

/** Every seed is a story of jobs, lists, faults and people; each job is told once. */
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
	);

	const areMany = ALL && CHOSEN === undefined;
	if (areMany)
		it('have had every chance to go wrong', () => {
			const kinds = ['status', 'reset', 'hang', 'garbage', 'slow'];
			const expected = [
				...kinds.flatMap((kind) => ['list', 'status'].map((route) => `${kind} at ${route}`)),
				...['newest', 'oldest'].map((order) => `order ${order}`),
				...['all', 'ended', 'image', 'video'].map((lists) => `lists ${lists}`),
				...['array', 'results', 'items', 'data', 'dataResults'].map((body) => `body ${body}`),
				...['maxPage', 'restart', 'workflow on', 'workflow off', 'overlaps', 'failures'],
			];
			const rare = expected.filter((what) => !((counts[what] ?? 0) >= 3));
			expect({ rare, counts }).toEqual({ rare: [], counts });
			expect(counts['fired completed']).toBeGreaterThan(120 * TESTS);
			expect(counts['fired failed']).toBeGreaterThan(12 * TESTS);
		});
});
