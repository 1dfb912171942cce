import { CONCURRENT_GENERATIONS } from '../../nodes/shared/spec/limits.ts';
import type { Sandbox } from '../../sandbox/server.mts';
import type { RealServer } from './realServer.mts';
import { round, type PartResult, type Row } from './result.mts';
import { bounds } from './schedule.mts';
import { trafficOf } from './traffic.mts';
import { allAtOnce, inBatches, OURS, type Credentials, type Way } from './ways.mts';

const IMAGES = 20;
const JOB_MS = { min: 3000, max: 9000 };

/** The package's promise: its time, in times of the bound. */
const AT_MOST = 1.1;

/** Seconds between two looks of the hand-built loops. */
const ONE_BY_ONE_WAIT = 2;
/** Five jobs read every 2 s would need more than the 100 requests a minute that there are. */
const BATCH_WAIT = 3;

const HAND_BUILT: Way[] = [
	inBatches(`loop, one by one (Wait ${ONE_BY_ONE_WAIT} s)`, 1, ONE_BY_ONE_WAIT),
	inBatches(`loop, batches of five (Wait ${BATCH_WAIT} s)`, CONCURRENT_GENERATIONS, BATCH_WAIT),
	allAtOnce(`all at once (Wait ${BATCH_WAIT} s)`, BATCH_WAIT),
];

/** Twenty images: our node beside workflows made of n8n's own nodes. */
export async function measureImages(server: RealServer): Promise<PartResult> {
	const { sandbox } = server;
	const rows: Row[] = [];
	const run = async (way: Way, credentials: Credentials, title = way.title) => {
		const { ms } = await server.measure(way, IMAGES, credentials);
		const row = rowOf(sandbox, title, ms);
		rows.push(row);
		console.log(`  ${title}: ${row.seconds} s`);
		return row;
	};

	const first = await server.startAfresh({ jobMs: JOB_MS });
	const ours = await run(OURS, first);
	const durations = durationsOf(sandbox);
	const bound = bounds(durations, CONCURRENT_GENERATIONS);
	for (const way of HAND_BUILT) await run(way, await server.startAfresh({ jobMs: JOB_MS }));
	await server.startAfresh({ jobMs: JOB_MS });
	// What the process has learned belongs to the key.
	sandbox.account.keys.add(first.key);
	const again = await run(OURS, first, `${OURS.title}, has seen such jobs`);

	return {
		title: `(a) ${IMAGES} images of 3 to 9 s, ${CONCURRENT_GENERATIONS} at a time, in a real n8n`,
		tables: [
			{ title: 'Ways', rows },
			{
				title: 'Bounds, from the durations drawn',
				rows: [
					{ bound: 'in order of creation, 5 places', seconds: inSeconds(bound.list) },
					{ bound: 'the longest first', seconds: inSeconds(bound.longestFirst) },
					{ bound: 'max(sum / 5, longest)', seconds: inSeconds(bound.absolute) },
				],
			},
		],
		checks: [
			{ what: 'ours, times the bound', measured: Number(ours['x bound']), atMost: AT_MOST },
			{ what: 'ours again, times the bound', measured: Number(again['x bound']), atMost: AT_MOST },
		],
		notes: [
			`Durations drawn, s: ${durations.map((ms) => inSeconds(ms)).join(' ')}`,
			'Seconds: from the start of the first node after the items to the end of the last one.',
			'Bound of a row: for the jobs it created, in order of creation.',
		],
	};
}

function rowOf(sandbox: Sandbox, way: string, ms: number): Row {
	const bound = bounds(durationsOf(sandbox), CONCURRENT_GENERATIONS).list;
	const { requests, refused, refusedCreations, mostInWindow, paid } = trafficOf(sandbox);
	return {
		way,
		seconds: inSeconds(ms),
		bound: inSeconds(bound),
		'x bound': round(ms / bound, 3),
		requests,
		'most/min': mostInWindow,
		'429s': refused,
		'429s to creations': refusedCreations,
		'jobs paid': paid,
	};
}

const durationsOf = ({ jobs }: Sandbox) => jobs.map(({ createdAt, endsAt }) => endsAt - createdAt);

const inSeconds = (ms: number) => round(ms / 1000, 2);
