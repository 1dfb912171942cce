import { seededRandom, wholeBetween } from '../../../sandbox/random.mts';
import { ALL } from '../../support/sampled.mts';
import { VirtualN8n } from '../../support/virtualRun.mts';
import { wrongResults } from '../../support/wrongResults.mts';
import { KINDS, turnsOf, withUntrueHistory } from './untrueHistories.mts';

/**
 * Whatever a history tells, each job is paid once, and nobody waits for ever. Results are those of the jobs' own statuses,
 * but for those where the first entry was true and later ones have a wrong URL, or other wrong facts, in the right places.
 */
const MAY_BE_WRONG = [
	'ends that are none',
	'one completed for all failed',
	'the URLs of other jobs',
	'URLs of no job',
	'other credits',
];

/** Seeds of each kind, every night two; more by LYING_SEEDS. */
const SEEDS = Number(process.env.LYING_SEEDS ?? (ALL ? 2 : 1));

const REPLAY = 'npx jest --selectProjects unit --testPathPatterns lyingHistories';

/** Most a batch may take, in times of what its jobs take in five places: nobody is forgotten. */
const MOST_TIMES = 8;

async function play(name: string, seed: number): Promise<string[]> {
	const kind = KINDS[name]!;
	const random = seededRandom(seed, `lie ${name}`);
	const turns = turnsOf(seed);
	const jobMs = { min: 3000, max: 9000 };
	const n8n = new VirtualN8n(
		withUntrueHistory(kind, turns, { credits: { purchased: 100_000 }, jobMs, seed }),
	);
	const count = wholeBetween(random, 12, 30);
	const execute = async (run: number) => {
		const items = Array.from({ length: count }, (_, item) => ({
			prompt: `${run} ${item}${random() < 0.1 ? ' [fail]' : ''}`,
		}));
		return await n8n.execute({
			items,
			node: { onError: 'continueRegularOutput' },
			parameters: (item) => ({
				resource: 'image',
				operation: 'generate',
				size: '1:1',
				...items[item],
			}),
		});
	};
	if (kind.fault) {
		void n8n.clock.sleep(random() * 20_000).then(() =>
			n8n.state.faults.add({
				match: { kind: 'list' },
				fault: kind.fault!,
				probability: 0.25 + 0.75 * random(),
				times: wholeBetween(random, 1, 40),
			}),
		);
	}
	const runs = random() < 0.3 ? 2 : 1;
	const done = await n8n.clock.run(
		Promise.all(Array.from({ length: runs }, async (_, run) => await execute(run))),
	);
	const { jobs } = n8n.state;
	const problems: string[] = [];
	for (const run of done) {
		if (run.error) problems.push(`error: ${run.error.message}`);
		const wrong = wrongResults(run, n8n.state);
		if (wrong > 0 && !MAY_BE_WRONG.includes(name))
			problems.push(`${wrong} of ${count} wrong, turns ${turns.from} to ${turns.to}`);
	}
	if (jobs.list.length !== runs * count) problems.push(`${jobs.list.length} jobs`);
	const ms = n8n.clock.now() - done[0]!.startedAt;
	const work = jobs.list.reduce((sum, job) => sum + job.endsAt - job.createdAt, 0) / 5;
	if (ms > MOST_TIMES * work + 60_000) problems.push(`${Math.round(ms / work)} times as long`);
	return problems.map((problem) => `seed ${seed}: ${problem} (LYING_SEEDS=${seed} ${REPLAY})`);
}

test.each(Object.keys(KINDS))(
	'histories with %s',
	async (name) => {
		const problems: string[] = [];
		for (let seed = 1; seed <= SEEDS; seed++) problems.push(...(await play(name, seed)));
		expect(problems).toEqual([]);
	},
	120_000,
);
