import type { BoundName } from './bounds.mts';
import { TRUE, UNTRUE, USELESS, withHistory, type HistoryKind } from './histories.mts';
import { fastestLoops } from './loop.mts';
import {
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
import * as virtual from './virtualJobs.mts';
import { CREDITS, plannedOf, SHORT_IMAGE, type Kind, type Measured } from './virtualJobs.mts';
import { wrongResults } from './wrongResults.mts';

/** Batches directly after one another, in a process that has not seen any job before. */
interface Work {
	title: string;
	kind: Kind;
	batches: number[];
	seeds: number;
	fails?: boolean;
	/** What is promised for the slowest batch. */
	bounds: { trusted: BoundName; else: BoundName };
	/** Which reads the ideal assumes if the history is true. */
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

/** The work that is done with untrue histories. */
const LIED_TO: Work = { ...FEW, seeds: 3, fails: true };

type Case = Awaited<ReturnType<typeof all>>;

/** Measures how fast short jobs are done within an account's requests, by what its history tells. */
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
			virtual.noneWrong([...plain, ...untrue].flatMap(({ measured }) => measured)),
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

async function all(work: Work, history: HistoryKind) {
	const run = async (seed: number) => await measure(work, history, seed);
	return { work, history, measured: await virtual.overSeeds(work.seeds, run) };
}

async function measure(work: Work, history: HistoryKind, seed: number): Promise<Measured> {
	const settings = { credits: CREDITS, jobMs: work.kind.takes, seed };
	const n8n = withHistory(history, settings);
	const reads = history === TRUE ? (work.reads ?? 'one') : 'each';
	const batches: Array<Pick<Measured, 'ms' | 'idealMs' | 'wrong'>> = [];
	for (const count of work.batches) {
		const before = n8n.state.jobs.list.length;
		const run = await n8n.clock.run(n8n.execute(executionOf(work, before, count)));
		batches.push({
			ms: run.endedAt - run.startedAt,
			idealMs: idealOf(plannedOf(n8n.state.jobs.list.slice(before)), reads),
			wrong: wrongResults(run, n8n.state),
		});
	}
	const planned = plannedOf(n8n.state.jobs.list);
	return {
		...trafficOf(n8n.state),
		ms: sum(batches.map(({ ms }) => ms)),
		idealMs: sum(batches.map(({ idealMs }) => idealMs)),
		ratio: Math.max(...batches.map(({ ms, idealMs }) => ms / idealMs)),
		wrong: sum(batches.map(({ wrong }) => wrong)),
		beside: fastestLoops(planned, [planned.length]),
	};
}

function executionOf({ kind, fails = false }: Work, first: number, count: number) {
	const prompts = Array.from(
		{ length: count },
		(_, index) => `item ${first + index}${fails && index % 10 === 9 ? ' [fail]' : ''}`,
	);
	return {
		...virtual.batchOf(kind, prompts),
		node: { onError: 'continueRegularOutput' as const },
	};
}

const ratioOf = ({ measured }: Case) => virtual.meanOf(measured, virtual.ratioOf);

const titleOf = ({ work, history }: Case) => `${work.title}, history ${history.title}`;

const checkOf = (one: Case): Check => ({
	what: titleOf(one),
	measured: ratioOf(one),
	bound: one.work.bounds[one.history === TRUE ? 'trusted' : 'else'],
});

const rowOf = ({ work, history, measured }: Case): Row => ({
	work: work.title,
	history: history.title,
	...virtual.rowOf(measured),
	'loop, s': round(virtual.meanOf(measured, ({ beside }) => beside.ms) / 1000, 1),
	'its 429s': round(
		virtual.meanOf(measured, ({ beside }) => beside.refused),
		0,
	),
});

function summaryOf(one: Case): SummaryRow {
	const row = rowOf(one);
	const time = `${row.seconds} s`;
	const isOne = one.work.batches.length === 1;
	const refused = Number(row['its 429s']);
	return {
		what: titleOf(one),
		ours: isOne
			? timesIdeal(time, ratioOf(one))
			: `${time}; ${timesIdeal('slowest batch', ratioOf(one))}`,
		ideal: `${row.ideal} s`,
		bounds: [checkOf(one).bound],
		beside: `loop of five: ${row['loop, s']} s${refused > 0 ? `, ${refused} refused` : ''}`,
	};
}
