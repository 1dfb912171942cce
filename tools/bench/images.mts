import { setTimeout as delay } from 'node:timers/promises';

import { CONCURRENT_GENERATIONS, REQUEST_WINDOW_MS } from '../../nodes/shared/spec/limits.ts';
import type { Sandbox } from '../../sandbox/server.mts';
import type { RealServer } from './realServer.mts';
import { round, timesIdeal, type PartResult, type Row } from './result.mts';
import { idealInOrder } from './schedule.mts';
import { trafficOf } from './traffic.mts';
import { durationOf, SHORT_IMAGE } from './virtualJobs.mts';
import { allAtOnce, inBatches, OURS, type Credentials, type Way } from './ways.mts';

const IMAGES = 20;
const JOB_MS = SHORT_IMAGE.takes;

/** Directly after one another. */
const IN_A_ROW = 3;

/** The history of an account goes on: one that begins anew would tell otherwise of the same jobs. */
const AGAIN = 'a minute later';

/** Seconds between two looks of the hand-built loops: every 2 s would need more requests than there are. */
const BATCH_WAIT = 3;

const HAND_BUILT: Way[] = [
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
	const durations = sandbox.jobs.map(durationOf);
	const byHand: Row[] = [];
	for (const way of HAND_BUILT) {
		byHand.push(await run(way, await server.startAfresh({ jobMs: JOB_MS })));
	}
	const batches = await measureInARow(server);
	const inARow = batches.filter(({ batch }) => batch !== AGAIN);
	const [again] = batches.filter(({ batch }) => batch === AGAIN);
	const slowest = Math.max(...inARow.map((row) => Number(row['x ideal'])));

	return {
		title: `(a) ${IMAGES} images of 3 to 9 s, ${CONCURRENT_GENERATIONS} at a time, in a real n8n`,
		tables: [
			{ title: 'Ways', rows },
			{
				title: 'Batches directly after one another, in a process that knows nothing',
				rows: batches,
			},
		],
		checks: [
			{ what: 'first batch', measured: Number(ours['x ideal']), bound: 'n8n, batch' },
			{
				what: 'batch a minute later',
				measured: Number(again?.['x ideal']),
				bound: 'n8n, batch a minute later',
			},
			{ what: 'slowest batch in a row', measured: slowest, bound: 'n8n, batches in a row' },
		],
		summary: [
			{
				what: `${IMAGES} images of 3 to 9 s, in a real n8n`,
				ours: timesIdeal(`${ours.seconds} s`, Number(ours['x ideal'])),
				ideal: `${ours.ideal} s`,
				bounds: ['n8n, batch'],
				beside: byHand
					.map(({ way, seconds, '429s': refused }) => besideText(way, seconds, refused))
					.join('; '),
			},
			{
				what: `${IN_A_ROW} such batches, one directly after another`,
				ours: inARow
					.map((row) => timesIdeal(`${row.seconds} s`, Number(row['x ideal'])))
					.join('; '),
				ideal: inARow.map((row) => `${row.ideal} s`).join('; '),
				bounds: ['n8n, batches in a row'],
				beside: '',
			},
		],
		notes: [
			`Durations drawn, s: ${durations.map((ms) => inSeconds(ms)).join(' ')}`,
			'Seconds: from the start of the first node after the items to the end of the last one.',
			'Ideal of a row: for the jobs it created, in order of creation.',
		],
	};
}

/** On one account, whose requests the batch before has used. */
async function measureInARow(server: RealServer): Promise<Row[]> {
	const { sandbox } = server;
	const credentials = await server.startAfresh({ jobMs: JOB_MS });
	const rows: Row[] = [];
	for (const batch of [...Array.from({ length: IN_A_ROW }, (_, index) => index + 1), AGAIN]) {
		if (batch === AGAIN) await delay(REQUEST_WINDOW_MS);
		const before = { jobs: sandbox.jobs.length, traffic: trafficOf(sandbox) };
		const { ms } = await server.measure(OURS, IMAGES, credentials);
		const ideal = idealOf(sandbox.jobs.slice(before.jobs));
		const { requests, refused, paid, mostInWindow } = trafficOf(sandbox);
		rows.push({
			batch,
			seconds: inSeconds(ms),
			ideal: inSeconds(ideal),
			'x ideal': round(ms / ideal, 3),
			requests: requests - before.traffic.requests,
			'most/min': mostInWindow,
			'429s': refused - before.traffic.refused,
			'jobs paid': paid - before.traffic.paid,
		});
		console.log(`  batch ${batch}: ${inSeconds(ms)} s`);
	}
	return rows;
}

const besideText = (way: unknown, seconds: unknown, refused: unknown) =>
	`${String(way)}: ${refused === 0 ? `${String(seconds)} s` : `${String(refused)} refused`}`;

function rowOf(sandbox: Sandbox, way: string, ms: number): Row {
	const ideal = idealOf(sandbox.jobs);
	const { requests, refused, mostInWindow, paid } = trafficOf(sandbox);
	return {
		way,
		seconds: inSeconds(ms),
		ideal: inSeconds(ideal),
		'x ideal': round(ms / ideal, 3),
		requests,
		'most/min': mostInWindow,
		'429s': refused,
		'jobs paid': paid,
	};
}

const idealOf = (jobs: Sandbox['jobs']) =>
	idealInOrder(jobs.map(durationOf), CONCURRENT_GENERATIONS);

const inSeconds = (ms: number) => round(ms / 1000, 2);
