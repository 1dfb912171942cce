import type { Sandbox } from '../../sandbox/server.mts';
import { outputsOf, type Execution } from '../lib/n8nClient.mts';
import type { N8nInstall } from '../lib/n8nInstall.mts';
import { startN8nQueue } from '../lib/n8nQueue.mts';
import { startSandbox } from '../lib/sandbox.mts';
import type { BoundName } from './bounds.mts';
import { openRealServer, type RealServer } from './realServer.mts';
import { round, sum, timesIdeal, type Check, type PartResult, type Row } from './result.mts';
import { CREDITS, SHORT_IMAGE } from './virtualJobs.mts';
import { BY_HAND, OURS, type Way } from './ways.mts';

/** How many images each worker makes; all batches start at once. */
const IMAGES = 20;
const JOB_MS = SHORT_IMAGE.takes;

const WORKERS = [1, 3];

/** Measures one batch for each worker of a real n8n in queue mode. */
export async function measureQueue(n8n: N8nInstall, tarball: string): Promise<PartResult> {
	const sandbox = await startSandbox({ credits: CREDITS });
	// With a concurrency of 1, each worker takes one of the executions.
	const queue = await startN8nQueue({ n8n, tarball, workers: 0, concurrency: 1 });
	const server = await openRealServer(queue.url, sandbox);
	const rows: Row[] = [];
	for (const workers of WORKERS) {
		while (queue.workers.length < workers) await queue.startWorker();
		for (const way of [OURS, BY_HAND]) {
			const row = await measure(server, way, workers);
			rows.push(row);
			console.log(`  ${workers}, ${way.title}: ${row.seconds} s`);
		}
	}
	await queue.stop();
	const ours = rows.filter(({ way }) => way === OURS.title);
	return {
		title: `(h) A batch of ${IMAGES} images of 3 to 9 s for each worker, in n8n's queue mode`,
		tables: [{ title: 'All batches at once, on one account', rows }],
		checks: ours.flatMap(checksOf),
		summary: ours.map((row) => ({
			what: `${IMAGES} images for each of ${row.workers} workers of a real n8n in queue mode`,
			ours: `${timesIdeal(`${row.seconds} s`, Number(row['x ideal']))}, ${row['refused, %']} % refused`,
			ideal: `${row.ideal} s`,
			bounds: checksOf(row).map(({ bound }) => bound),
			beside: besideText(
				rows.find(({ way, workers }) => way !== row.way && workers === row.workers),
			),
		})),
		notes: [
			'Ideal: the jobs of all batches in the order of their creation, 5 places, 100 requests in any minute.',
			'Lost: items without a finished job. A workflow of n8n’s own nodes stops at the first 429.',
		],
	};
}

async function measure(server: RealServer, way: Way, workers: number): Promise<Row> {
	const { sandbox } = server;
	const credentials = await server.startAfresh({ jobMs: JOB_MS });
	const { executions, row } = await server.measure(way, workers, IMAGES, credentials);
	return {
		workers,
		way: way.title,
		...row,
		'refused, %': round((row['429s'] / row.requests) * 100, 1),
		failed: executions.filter(({ status }) => status !== 'success').length,
		lost: way === OURS ? workers * IMAGES - sum(executions.map(finishedOf)) : '-',
		'paid twice': paidTwice(sandbox),
	};
}

/** Counts the items that our node has output with a result. */
function finishedOf(execution: Execution): number {
	const [items = []] = outputsOf(execution, 'MediaGen');
	return items.filter(({ json }) => typeof json.mediaUrl === 'string').length;
}

/** Counts surplus jobs: each item has a prompt of its own. */
const paidTwice = ({ jobs }: Sandbox) =>
	jobs.length - new Set(jobs.map(({ body }) => body.prompt)).size;

function checksOf({ workers, ...row }: Row): Check[] {
	const check = (column: string, bound: BoundName): Check => ({
		what: `workers: ${workers}`,
		measured: Number(row[column]),
		bound,
	});
	return [
		check('x ideal', workers === 1 ? 'queue, 1' : 'queue, 3'),
		check('refused, %', 'queue, refused'),
		check('lost', 'lost'),
		check('paid twice', 'paid twice'),
	];
}

function besideText(row: Row | undefined): string {
	if (!row) return '';
	const outcome =
		row.failed === 0 ? `${row.seconds} s` : `${row.failed} of ${row.workers} fail with 429`;
	return `${row.way}: ${outcome}`;
}
