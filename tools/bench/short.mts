import { VirtualN8n } from '../../test/support/virtualRun.mts';
import type { BoundName } from './bounds.mts';
import { TRUE, UNTRUE, USELESS, withHistory, type HistoryKind } from './histories.mts';
import { fastestLoops, type Looped } from './loop.mts';
import {
	inSeconds,
	mean,
	round,
	sum,
	timesIdeal,
	type Check,
	type PartResult,
	type Row,
	type SummaryRow,
} from './result.mts';
import { idealOf, type Reads } from './schedule.mts';
import { trafficOf } from './traffic.mts';
import {
	CREDITS,
	overSeeds,
	parametersOf,
	plannedOf,
	SHORT_IMAGE,
	type Kind,
} from './virtualJobs.mts';
import { wrongResults } from './wrongResults.mts';

/** Batches directly after one another, in a process that has not seen any job. */
interface Work {
	title: string;
	kind: Kind;
	batches: number[];
	seeds: number;
	fails?: boolean;
	/** What is promised of the slowest batch. */
	bounds: { trusted: BoundName; else: BoundName };
	/** What the ideal is taken from where the history is true. */
	reads?: Reads;
}

const VERY_SHORT: Kind = { ...SHORT_IMAGE, takes: { min: 1000, max: 3000 } };

const FEW: Work = {
	title: '60 images of 3 to 9 s',
	kind: SHORT_IMAGE,
	batches: [60],
	seeds: 10,
	bounds: { trusted: 'short, trusted', else: 'short, not trusted' },
};

const WORKS: Work[] = [
	FEW,
	{ ...FEW, title: '300 images of 3 to 9 s', batches: [300], seeds: 3 },
	{
		...FEW,
		title: '3 batches of 20 images of 3 to 9 s',
		batches: [20, 20, 20],
		bounds: { trusted: 'in a row, trusted', else: 'in a row, not trusted' },
	},
	{
		...FEW,
		title: '60 images of 1 to 3 s',
		kind: VERY_SHORT,
		bounds: { trusted: 'very short', else: 'very short' },
		reads: 'each',
	},
];

/** For histories that are not true. */
const LIED_TO: Work = { ...FEW, seeds: 3, fails: true };

interface Measured {
	batches: Batch[];
	requests: number;
	refused: number;
	wrong: number;
	/** What a loop would have had with the same jobs. */
	beside: Looped;
}

/** ms. */
interface Batch {
	ms: number;
	ideal: Record<Reads, number>;
}

interface Case {
	work: Work;
	history: HistoryKind;
	measured: Measured[];
}

/** How many short jobs fit into the requests of an account, by what its history tells. */
export async function measureShort(): Promise<PartResult> {
	const plain: Case[] = [];
	for (const work of WORKS) {
		for (const history of [TRUE, ...USELESS]) plain.push(await all(work, history));
	}
	const untrue: Case[] = [];
	for (const history of UNTRUE) untrue.push(await all(LIED_TO, history));
	return {
		title: '(f) Short jobs, one process, in virtual time',
		tables: [
			{ title: 'Histories that are true, and that tell nothing', rows: plain.map(rowOf) },
			{
				title: 'Histories that are late, cut off, out of order, or lie',
				rows: untrue.map(rowOf),
			},
		],
		checks: [
			...[...plain, ...untrue].map(checkOf),
			{
				what: 'wrong results',
				measured: sum([...plain, ...untrue].map(wrongOf)),
				bound: 'wrong results',
			},
		],
		summary: plain.filter(({ history }) => history !== USELESS[1]).map(summaryOf),
		notes: [
			'Ideal: in order of creation, 5 places, 100 requests in any minute. Where the history is true, one',
			'request shows all ends; elsewhere, one shows one. Means of several seeds;',
			'x ideal: of the slowest batch.',
			'Loop: HTTP Request, Wait and If for five at a time, with the best of all waits from 1 to 10 s; what',
			'is refused is tried again.',
		],
	};
}

async function all(work: Work, history: HistoryKind): Promise<Case> {
	const measured = await overSeeds(work.seeds, async (seed) => await measure(work, history, seed));
	return { work, history, measured };
}

async function measure(work: Work, history: HistoryKind, seed: number): Promise<Measured> {
	const settings = { credits: CREDITS, jobMs: work.kind.takes, seed };
	const n8n = new VirtualN8n(withHistory(history, settings));
	for (const fault of history.faults ?? []) n8n.state.faults.add(fault);
	const batches: Batch[] = [];
	let wrong = 0;
	for (const count of work.batches) {
		const before = n8n.state.jobs.list.length;
		const run = await n8n.clock.run(n8n.execute(executionOf(work, before, count)));
		const own = plannedOf(n8n.state.jobs.list.slice(before));
		batches.push({
			ms: run.endedAt - run.startedAt,
			ideal: { one: idealOf(own, 'one'), each: idealOf(own, 'each') },
		});
		wrong += wrongResults(run, n8n.state);
	}
	const { requests, refused } = trafficOf(n8n.state);
	const planned = plannedOf(n8n.state.jobs.list);
	const beside = fastestLoops(planned, [planned.length]);
	return { batches, requests, refused, wrong, beside };
}

function executionOf({ kind, fails = false }: Work, first: number, count: number) {
	const items = Array.from({ length: count }, (_, index) => ({
		prompt: `item ${first + index}${fails && index % 10 === 9 ? ' [fail]' : ''}`,
	}));
	return {
		items,
		parameters: (index: number) => ({ ...parametersOf(kind, index), ...items[index] }),
		catalog: kind.catalog,
		node: { onError: 'continueRegularOutput' as const },
	};
}

const readsOf = ({ work, history }: Case): Reads =>
	history === TRUE ? (work.reads ?? 'one') : 'each';

/** Times the ideal, of the slowest batch of each run. */
function ratiosOf(one: Case): number[] {
	const reads = readsOf(one);
	return one.measured.map(({ batches }) =>
		Math.max(...batches.map(({ ms, ideal }) => ms / ideal[reads])),
	);
}

const ratioOf = (one: Case) => mean(ratiosOf(one));

const wrongOf = ({ measured }: Case) => sum(measured.map(({ wrong }) => wrong));

const titleOf = ({ work, history }: Case) => `${work.title}, history ${history.title}`;

const checkOf = (one: Case): Check => ({
	what: titleOf(one),
	measured: ratioOf(one),
	bound: one.work.bounds[one.history === TRUE ? 'trusted' : 'else'],
});

const meanOf = ({ measured }: Case, value: (one: Measured) => number) => mean(measured.map(value));

/** Of all batches of a run. */
const secondsOf = (one: Case, value: (batch: Batch) => number) =>
	round(meanOf(one, ({ batches }) => sum(batches.map(value))) / 1000, 1);

function rowOf(one: Case): Row {
	const reads = readsOf(one);
	return {
		work: one.work.title,
		history: one.history.title,
		seconds: secondsOf(one, ({ ms }) => ms),
		ideal: secondsOf(one, ({ ideal }) => ideal[reads]),
		'x ideal': round(ratioOf(one), 3),
		worst: round(Math.max(...ratiosOf(one)), 3),
		requests: Math.round(meanOf(one, ({ requests }) => requests)),
		'429s': Math.round(meanOf(one, ({ refused }) => refused)),
		wrong: wrongOf(one),
		'loop, s': round(meanOf(one, ({ beside }) => beside.ms) / 1000, 1),
		'its 429s': Math.round(meanOf(one, ({ beside }) => beside.refused)),
	};
}

function summaryOf(one: Case): SummaryRow {
	const time = `${secondsOf(one, ({ ms }) => ms)} s`;
	const isOne = one.work.batches.length === 1;
	const reads = readsOf(one);
	const refused = Math.round(meanOf(one, ({ beside }) => beside.refused));
	return {
		what: titleOf(one),
		ours: isOne
			? timesIdeal(time, ratioOf(one))
			: `${time}; ${timesIdeal('slowest batch', ratioOf(one))}`,
		ideal: `${secondsOf(one, ({ ideal }) => ideal[reads])} s`,
		bounds: [checkOf(one).bound],
		beside: `loop of five: ${inSeconds(meanOf(one, ({ beside }) => beside.ms))}${refused > 0 ? `, ${refused} refused` : ''}`,
	};
}
