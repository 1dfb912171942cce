import { ALL } from '../../support/sampled.mts';
import { toldBy } from '../../support/toldBy.mts';
import { chargeIn, creationsOf, isPaid, isStopped, notStartedIn, toldIn } from './facts.mts';
import { play, type Play } from './play.mts';
import { violations } from './properties.mts';

/** Seeds of a test, and number of tests: 60 runs, every night 400; FAULT_TESTS asks for others. */
const RUNS = 20;
const TESTS = Number(process.env.FAULT_TESTS ?? (ALL ? 20 : 3));

const REPLAY = 'npx jest --selectProjects unit --testPathPatterns faultSuite';

/** This one alone. */
const CHOSEN = process.env.FAULT_SEED;

/** Of paid creations, the share whose answer is lost, at least. */
const LOST = 0.1;

/** How often there was something to get wrong, over all runs. */
const counts: Record<string, number> = {};

const count = (what: string, times = 1) => (counts[what] = (counts[what] ?? 0) + times);

function tally(played: Play): void {
	const { n8n, workflows } = played;
	const { journal, account, jobs } = n8n.state;
	count('paid jobs', account.charges.length);
	count('lost answers', creationsOf(played).filter((one) => isPaid(one) && one.isLost).length);
	count('failed jobs', jobs.list.filter(({ outcome }) => outcome === 'failed').length);
	count('runs with two workflows', workflows.length > 1 ? 1 : 0);
	for (const { status, kind, fault } of journal.entries) {
		if (fault) count(`${fault} at ${kind}`);
		else if (status === 429) count('429 by the service');
	}
	for (const { plan, executions } of workflows) {
		count('retried executions', executions.length - 1);
		count('stopped runs', isStopped(plan, executions[0]!) ? 1 : 0);
		for (const { error, tries } of executions) {
			count('tries by Retry On Fail', tries - 1);
			if (plan.varies) count('retried orders that vary', tries - 1);
			if (error) count('rows told not to have been started', notStartedIn(toldBy(error)));
		}
	}
	for (const { no, yes, doubt } of toldIn(played).map(chargeIn)) {
		count('rows told that nothing was charged', Number(no));
		count('rows told that they were charged', Number(yes));
		count('rows told of a doubt', Number(doubt));
	}
}

/** What went wrong in the run of a seed, with how to run it again. */
async function failuresOf(seed: number): Promise<string[]> {
	const found = await play(seed).then(
		(played) => {
			tally(played);
			return violations(played);
		},
		(error: Error) => [String(error.stack)],
	);
	return found.length > 0 ? [[`FAULT_SEED=${seed} ${REPLAY}`, ...found].join('\n\t')] : [];
}

/** Every seed is a story of faults, retries and people; the money rules hold in all of them. */
describe('faults', () => {
	const tests =
		CHOSEN === undefined
			? Array.from({ length: TESTS }, (_, test) => ({ from: test * RUNS + 1, runs: RUNS }))
			: [{ from: Number(CHOSEN), runs: 1 }];

	it.each(tests)(
		'$runs runs from seed $from: nothing lost, nothing paid twice',
		async ({ from, runs }) => {
			const failures: string[] = [];
			for (let seed = from; seed < from + runs; seed++) failures.push(...(await failuresOf(seed)));
			if (failures.length > 0) throw new Error(failures.join('\n'));
		},
	);

	/** `unit/errors` has each fault at each stage. */
	(CHOSEN === undefined ? it : it.skip)('have had every chance to go wrong', () => {
		const kinds = ['status', 'reset', 'hang', 'garbage', 'slow'];
		const expected = [
			...kinds.flatMap((kind) => ['create', 'status', 'list'].map((at) => `${kind} at ${at}`)),
			...['429 by the service', 'failed jobs', 'stopped runs', 'runs with two workflows'],
			...['tries by Retry On Fail', 'retried orders that vary', 'retried executions'],
			...['rows told that nothing was charged', 'rows told that they were charged'],
			...['rows told of a doubt', 'rows told not to have been started'],
		];
		const rare = expected.filter((what) => !((counts[what] ?? 0) >= 2));
		expect({ rare, counts }).toEqual({ rare: [], counts });
		expect(counts['paid jobs']).toBeGreaterThan(120 * TESTS);
		expect(counts['lost answers']).toBeGreaterThan(LOST * counts['paid jobs']!);
	});
});
