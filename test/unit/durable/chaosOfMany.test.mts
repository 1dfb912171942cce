import { VirtualEngine } from '../../support/virtualEngine.mts';
import { drawPlan, type ChaosPlan, type Kill } from './chaos/plan.mts';
import { openIn } from './chaos/play.mts';
import { MINUTE } from './batches.mts';
import { NO_LIMITS, promptOf, resultOf, startOne } from './many.mts';

/** Many durable runs in one n8n, killed together at drawn times: none is paid for twice, and all end. */

const RUNS = 12;
const SEEDS = 3;
const MANY = Number(process.env.CHAOS_TESTS ?? 1);

/** Long enough for all to be parked, in some plays. */
const JOBS_MS = [
	{ min: 2000, max: 12_000 },
	{ min: 5 * MINUTE, max: 40 * MINUTE },
];

/** Seeds of the plays, each another than those of one run. */
const FROM = 100_000;

interface Fates {
	whole: number;
	doubts: number;
	crashed: number;
	orphans: number;
}

const fates: Fates = { whole: 0, doubts: 0, crashed: 0, orphans: 0 };

async function played({ seed, settings, faults, hasLog, kills }: ChaosPlan) {
	const jobMs = JOBS_MS[seed % JOBS_MS.length];
	let countdown = 0;
	let onZero = () => {};
	const engine = new VirtualEngine({
		settings: { ...settings, jobMs, limits: NO_LIMITS },
		startsAt: Date.UTC(2027, 0, 1),
		hasLog,
		onInstant: () => {
			if (--countdown === 0) onZero();
		},
	});
	for (const rule of faults) engine.state.faults.add(rule);
	const killOnce = async ({ when, downMs }: Kill) => {
		if ('ms' in when) await engine.clock.advance(when.ms * RUNS);
		else {
			countdown = when.instants * RUNS;
			onZero = () => engine.kill();
			for (let s = 0; engine.isUp && s < 3600; s++) await engine.clock.advance(1000);
			countdown = 0;
		}
		engine.kill();
		await engine.clock.advance(downMs);
		engine.boot();
	};
	engine.boot();
	for (let run = 0; run < RUNS; run++) await startOne(engine, run);
	for (const kill of kills) await killOnce(kill);
	for (let hours = 0; hours < 24 && openIn(engine).length > 0; hours++)
		await engine.clock.advance(60 * MINUTE);
	engine.kill();
	return engine;
}

/** What is wrong with a run; an orphan is counted. */
function wrongIn(engine: VirtualEngine, run: number): string[] {
	const jobs = engine.state.jobs.list.filter(({ body }) => body.prompt === promptOf(run));
	const { status, json } = resultOf(engine, run);
	if (jobs.length > 1) return [`run ${run} is paid for ${jobs.length} times`];
	if (status === 'crashed') fates.crashed += 1;
	else if (status === 'waiting') fates.orphans += 1;
	else if (json?.jobId !== undefined && json.jobId === jobs[0]?.id) fates.whole += 1;
	else if (String(json?.error).includes('may have been paid for')) fates.doubts += 1;
	else return [`run ${run} is ${status}: ${JSON.stringify(json)}`];
	return [];
}

test.each(Array.from({ length: SEEDS * MANY }, (_, index) => FROM + index))(
	`${RUNS} runs, seed %d`,
	async (seed) => {
		const engine = await played(drawPlan(seed));
		const runs = Array.from({ length: RUNS }, (_, run) => run);
		expect(runs.flatMap((run) => wrongIn(engine, run))).toEqual([]);
	},
	120_000,
);

test('hardly any is left that nobody works for', () => {
	console.log(`What became of the runs: ${JSON.stringify(fates)}`);
	expect(fates.whole).toBeGreaterThan(0);
	expect(fates.orphans).toBeLessThanOrEqual(MANY * SEEDS * RUNS * 0.03);
});
