import { setTimeout as delay } from 'node:timers/promises';

import { CONCURRENT_GENERATIONS, REQUEST_WINDOW_MS } from '../../nodes/shared/spec/limits.ts';
import type { Credentials, RealServer } from './realServer.mts';
import { round, timesIdeal, type PartResult, type Row } from './result.mts';
import { durationOf, SHORT_IMAGE } from './virtualJobs.mts';
import { BY_HAND, OURS, type Way } from './ways.mts';

const IMAGES = 20;
const JOB_MS = SHORT_IMAGE.takes;

/** How many batches run directly after one another. */
const IN_A_ROW = 3;

/** A further batch on the same account, whose history goes on: a new one would tell other things of the same jobs. */
const AGAIN = 'a minute later';

/** Makes twenty images with our node, and with a workflow of n8n's own nodes. */
export async function measureImages(server: RealServer): Promise<PartResult> {
	const { sandbox } = server;
	const rows: Row[] = [];
	const run = async (way: Way, credentials: Credentials) => {
		const row = { way: way.title, ...(await measure(server, way, credentials)) };
		rows.push(row);
		console.log(`  ${way.title}: ${row.seconds} s`);
		return row;
	};

	const first = await server.startAfresh({ jobMs: JOB_MS });
	const ours = await run(OURS, first);
	const durations = sandbox.jobs.map(durationOf);
	const byHand = await run(BY_HAND, await server.startAfresh({ jobMs: JOB_MS }));
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
				beside: `${byHand.way}: ${byHand.seconds} s`,
			},
			{
				what: `${IN_A_ROW} such batches, one directly after another`,
				ours: inARow
					.map((row) => timesIdeal(`${row.seconds} s`, Number(row['x ideal'])))
					.join('; '),
				ideal: inARow.map((row) => `${row.ideal} s`).join('; '),
				bounds: ['n8n, batches in a row'],
			},
		],
		notes: [
			`Durations drawn, s: ${durations.map((ms) => round(ms / 1000)).join(' ')}`,
			'Seconds: from the start of the first node after the items to the end of the last one.',
			'Ideal of a row: for the jobs it created, in order of creation.',
		],
	};
}

/** @throws Error when the workflow fails */
async function measure(server: RealServer, way: Way, credentials: Credentials) {
	const { executions, row } = await server.measure(way, 1, IMAGES, credentials);
	const failed = executions.find(({ status }) => status !== 'success');
	if (failed) throw new Error(`${way.title}: ${failed.status}, ${failed.error?.message}`);
	return row;
}

/** Runs batches on one account: each begins with the requests used up by those before it. */
async function measureInARow(server: RealServer): Promise<Row[]> {
	const credentials = await server.startAfresh({ jobMs: JOB_MS });
	const rows: Row[] = [];
	for (const batch of [...Array.from({ length: IN_A_ROW }, (_, index) => index + 1), AGAIN]) {
		if (batch === AGAIN) await delay(REQUEST_WINDOW_MS);
		const row = await measure(server, OURS, credentials);
		rows.push({ batch, ...row });
		console.log(`  batch ${batch}: ${row.seconds} s`);
	}
	return rows;
}
