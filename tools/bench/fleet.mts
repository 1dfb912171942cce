import type { Job } from '../../sandbox/jobs.mts';
import { seededRandom, wholeBetween } from '../../sandbox/random.mts';
import { UNBOUNDED } from '../../test/support/virtualClock.mts';
import { VirtualN8n, type Execution } from '../../test/support/virtualRun.mts';
import type { FleetName } from './bounds.mts';
import { fastestLoops } from './loop.mts';
import {
	round,
	sum,
	timesIdeal,
	withUnit,
	type Check,
	type PartResult,
	type Row,
	type SummaryRow,
} from './result.mts';
import { idealOf } from './schedule.mts';
import { trafficOf } from './traffic.mts';
import * as virtual from './virtualJobs.mts';
import { CREDITS, durationOf, IMAGE, overSeeds, SHORT_IMAGE, type Kind } from './virtualJobs.mts';
import { VirtualWorker } from './virtualWorker.mts';
import { wrongResults } from './wrongResults.mts';

const SEEDS = 12;

/** A process, and its part of the work; times in ms from the start. */
interface Member {
	jobs: number;
	fromMs?: number;
	killedMs?: number;
}

interface Fleet {
	work: string;
	processes: string;
	kind: Kind;
	members: Member[];
	/** What is promised for it; drawn fleets are not promised anything one by one. */
	bounds?: FleetName;
	/** Whether it has a row in the table of all parts. */
	isShown: boolean;
}

interface Work extends Pick<Fleet, 'work' | 'kind' | 'isShown'> {
	length: 'short' | 'long';
	jobs: number;
	/** When other processes join, or when one is killed, in ms. */
	meanwhileMs: number;
}

const SHORT_40: Work = {
	work: '40 images of 3 to 9 s',
	kind: SHORT_IMAGE,
	jobs: 40,
	length: 'short',
	meanwhileMs: 15_000,
	isShown: true,
};
const LONG_40: Work = {
	work: '40 jobs of 20 to 40 s',
	kind: { ...IMAGE, takes: { min: 20_000, max: 40_000 } },
	jobs: 40,
	length: 'long',
	meanwhileMs: 60_000,
	isShown: false,
};
const LONG_80: Work = { ...LONG_40, work: '80 jobs of 20 to 40 s', jobs: 80, isShown: true };

/** Between the starts of two processes that begin one after the other, in ms. */
const APART_MS = 200;

/** The ways in which processes share some work. */
function fleetsOf({ jobs, length, meanwhileMs, ...work }: Work): Fleet[] {
	const own = { jobs: jobs / 4 };
	const late = { ...own, fromMs: meanwhileMs };
	const fleet = (
		how: 1 | 2 | 4 | 8 | 'apart' | 'later' | 'killed',
		processes: string,
		members: Member[],
	): Fleet => ({ ...work, processes, bounds: `${length}, ${how}`, members });
	// Workers of n8n start work that arrives together about this far apart.
	const apart = [0, 1, 2, 3].map((index) => ({ ...own, fromMs: index * APART_MS }));
	return [
		...([1, 2, 4, 8] as const).map((count) =>
			fleet(count, String(count), Array<Member>(count).fill({ jobs: jobs / count })),
		),
		fleet('apart', `4, begun ${APART_MS / 1000} s apart`, apart),
		// Three processes join one that is already at work and has more to do than all of them.
		fleet('later', `1, then 3 more with ${own.jobs} each`, [{ jobs }, late, late, late]),
		fleet('killed', '4, one killed', [own, own, own, { ...own, killedMs: meanwhileMs }]),
	];
}

/** How many fleets are drawn at random: nothing was tuned for them. */
const DRAWN = 10;

/** How often each is run, with other jobs: of a short one, a single run may have half or twice as much refused. */
const RUNS_OF_DRAWN = 4;

/** 2 to 12 processes, begun within a minute, with 1 to 40 jobs each; jobs of 2 to 120 s. */
function drawn(seed: number): Fleet {
	const random = seededRandom(seed, 'fleet');
	const seconds = wholeBetween(random, 2, 60);
	const longest = Math.min(120, Math.ceil(seconds * (1 + 2 * random())));
	const members = Array.from({ length: wholeBetween(random, 2, 12) }, () => ({
		jobs: Math.ceil(40 * random() ** 2),
		fromMs: wholeBetween(random, 0, 60_000),
	}));
	return {
		work: `${members.map(({ jobs }) => jobs).join('+')} images of ${seconds} to ${longest} s`,
		processes: `${members.length}, drawn (${seed})`,
		kind: { ...IMAGE, takes: { min: 1000 * seconds, max: 1000 * longest } },
		members,
		isShown: false,
	};
}

/** In s: with the default time-out, jobs that wait so long for a place would become errors. */
const PATIENT = { timeout: 7200 };

interface Measured extends virtual.Measured {
	/** Ratios of the largest to the smallest: of jobs per process while all have work, and of the times they take. */
	jobShare: number;
	timeShare: number;
}

interface Run {
	fleet: Fleet;
	measured: Measured[];
}

/** Measures processes that share an account without knowing of one another, as workers of n8n do. */
export async function measureFleet(): Promise<PartResult> {
	const runs: Run[] = [];
	for (const fleet of [SHORT_40, LONG_40, LONG_80].flatMap(fleetsOf)) {
		runs.push({ fleet, measured: await overSeeds(SEEDS, (seed) => measure(fleet, seed)) });
	}
	const others = await overSeeds(DRAWN, async (seed): Promise<Run> => {
		const fleet = drawn(seed);
		const again = async (run: number) => await measure(fleet, seed + DRAWN * (run - 1));
		return { fleet, measured: await overSeeds(RUNS_OF_DRAWN, again) };
	});
	return {
		title: '(g) Processes that share an account, in virtual time',
		tables: [
			{ title: `Means of ${SEEDS} seeds`, rows: runs.map(rowOf) },
			{ title: `Fleets that are drawn, means of ${RUNS_OF_DRAWN} runs`, rows: others.map(rowOf) },
		],
		checks: [
			...runs.flatMap(checksOf),
			{
				what: 'the worst of the fleets that are drawn',
				measured: Math.max(...others.map((run) => meanOf(run, percentRefused))),
				bound: 'drawn, refused',
			},
			virtual.noneWrong([...runs, ...others].flatMap(({ measured }) => measured)),
		],
		summary: runs.filter(({ fleet }) => fleet.isShown).map(summaryOf),
		notes: [
			'Ideal: all jobs in the order of their creation, 5 places, 100 requests in any minute.',
			'Share, jobs: created by each process while all have work, the most by the least (no less than 1).',
			'Share, time: of each process for its part. Judged: the time where all have as much to do.',
			'Loops: HTTP Request, Wait and If for five at a time in each process, with the best of all waits from',
			'1 to 10 s; what is refused is tried again.',
		],
	};
}

const titleOf = ({ work, processes }: Fleet) => `${work}, processes: ${processes}`;

function checksOf(run: Run): Check[] {
	const { members, bounds } = run.fleet;
	if (!bounds) return [];
	const check = (of: 'time' | 'share' | 'refused', value: (one: Measured) => number): Check => ({
		what: titleOf(run.fleet),
		measured: meanOf(run, value),
		bound: `${bounds}: ${of}`,
	});
	const time = check('time', virtual.ratioOf);
	if (members.length === 1) return [time];
	const isEven = members.every(({ jobs }) => jobs === members[0]?.jobs);
	return [
		time,
		check('refused', percentRefused),
		check('share', ({ jobShare, timeShare }) => (isEven ? timeShare : jobShare)),
	];
}

const percentRefused = ({ refused, requests }: Pick<Measured, 'refused' | 'requests'>) =>
	(refused / requests) * 100;

const meanOf = ({ measured }: Run, value: (one: Measured) => number) =>
	virtual.meanOf(measured, value);

async function measure({ kind, members }: Fleet, seed: number): Promise<Measured> {
	const account = new VirtualN8n({ settings: { credits: CREDITS, jobMs: kind.takes, seed } });
	const { clock, state } = account;
	clock.bounds = UNBOUNDED;
	const startedAt = clock.now();
	const work = async ({ jobs, fromMs = 0, killedMs }: Member, index: number) => {
		const worker = new VirtualWorker(account, String(index));
		if (killedMs !== undefined) void clock.sleep(killedMs).then(() => worker.kill());
		await clock.sleep(fromMs);
		const prompts = Array.from({ length: jobs }, (_, item) => `${index} ${item}`);
		return await worker.execute(virtual.batchOf(kind, prompts, PATIENT));
	};
	const done = members.map(work).filter((_, index) => members[index]?.killedMs === undefined);
	const runs = await clock.run(Promise.all(done));
	for (const { error } of runs) if (error) throw error;
	const ms = clock.now() - startedAt;
	const jobs = state.jobs.list;
	const planned = jobs.map((job) => ({
		ms: durationOf(job),
		from: members[workerOf(job)]?.fromMs ?? 0,
	}));
	const idealMs = idealOf(planned);
	return {
		...trafficOf(state),
		ms,
		idealMs,
		ratio: ms / idealMs,
		jobShare: jobShare(jobs, members, startedAt),
		timeShare: timeShare(runs),
		wrong: sum(runs.map((run) => wrongResults(run, state))),
		beside: fastestLoops(
			planned,
			members.map((_, index) => jobs.filter((job) => workerOf(job) === index).length),
		),
	};
}

/** The number of a job's process, with which its prompt begins. */
const workerOf = ({ body }: Job): number => Number.parseInt(String(body.prompt), 10);

/** Counts from the arrival of the last process until one has created all its jobs. */
function jobShare(jobs: readonly Job[], members: readonly Member[], startedAt: number): number {
	const from = startedAt + Math.max(...members.map(({ fromMs = 0 }) => fromMs));
	const left = members.map(({ jobs: count }) => count);
	const made = members.map(() => 0);
	for (const job of jobs) {
		const worker = workerOf(job);
		left[worker] = (left[worker] ?? 0) - 1;
		if (job.createdAt >= from) made[worker] = (made[worker] ?? 0) + 1;
		if (left[worker] === 0) break;
	}
	return Math.max(...made) / Math.max(1, Math.min(...made));
}

function timeShare(runs: readonly Execution[]): number {
	const times = runs.map(({ startedAt, endedAt }) => endedAt - startedAt);
	return Math.max(...times) / Math.min(...times);
}

function rowOf(run: Run): Row {
	const digits = (value: (one: Measured) => number, count: number) =>
		round(meanOf(run, value), count);
	return {
		work: run.fleet.work,
		processes: run.fleet.processes,
		...virtual.rowOf(run.measured),
		'refused, %': digits(percentRefused, 1),
		'share, jobs': digits(({ jobShare }) => jobShare, 2),
		'share, time': digits(({ timeShare }) => timeShare, 2),
		'loops, s': digits(({ beside }) => beside.ms / 1000, 1),
		'their refused, %': digits(({ beside }) => percentRefused(beside), 1),
	};
}

function summaryOf(run: Run): SummaryRow {
	const checks = checksOf(run);
	const [, , share] = checks;
	const row = rowOf(run);
	const refused = (value: (one: Measured) => number) => `${round(meanOf(run, value), 0)} % refused`;
	return {
		what: titleOf(run.fleet),
		ours: [
			timesIdeal(`${row.seconds} s`, meanOf(run, virtual.ratioOf)),
			refused(percentRefused),
			...(share ? [withUnit(share.bound, round(share.measured, 1))] : []),
		].join(', '),
		ideal: `${row.ideal} s`,
		bounds: checks.map(({ bound }) => bound),
		beside: `loops of five: ${row['loops, s']} s, ${refused(({ beside }) => percentRefused(beside))}`,
	};
}
