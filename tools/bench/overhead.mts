import type { RealServer } from './realServer.mts';
import { median, round, type PartResult } from './result.mts';
import { trafficOf, type Traffic } from './traffic.mts';
import { httpNodes, httpNodesInLoop, OURS, type Way } from './ways.mts';

const ITEMS = 30;

/** Each way is measured so often, after runs that are not counted. */
const REPETITIONS = 11;
const WARM_UP = 2;

/** n8n takes an interval of 0 for no batches at all. */
const BATCH_INTERVAL = 1;

/** How late the service answers while it is counted how many requests are under way together. */
const SLOW_MS = 100;

/** Ours is compared with these. */
const IN_BATCHES = httpNodes(
	`HTTP Request x 2 (batches of 5, ${BATCH_INTERVAL} ms)`,
	BATCH_INTERVAL,
);
const IN_LOOP = httpNodesInLoop('HTTP Request x 2 in Loop Over Items (5)');

const WAYS: Way[] = [OURS, IN_BATCHES, IN_LOOP, httpNodes('HTTP Request x 2 (no batches)', 0)];

const INSTANT = { jobMs: { min: 0, max: 0 }, queuedMs: 0 };

/** The time that is n8n's and ours: jobs that have ended when they are created. */
export async function measureOverhead(server: RealServer): Promise<PartResult> {
	const times = new Map<Way, number[]>(WAYS.map((way) => [way, []]));
	const traffic = new Map<Way, Traffic>();
	const together = new Map<Way, number>();
	for (const way of WAYS) together.set(way, await mostAtOnce(server, way));
	for (let repetition = -WARM_UP; repetition < REPETITIONS; repetition++) {
		// There and back, so that none is always measured after the same other one.
		for (const way of repetition % 2 === 0 ? WAYS : [...WAYS].reverse()) {
			const credentials = await server.startAfresh(INSTANT);
			const { ms } = await server.measure(way, ITEMS, credentials);
			if (repetition >= 0) times.get(way)?.push(ms);
			traffic.set(way, trafficOf(server.sandbox));
		}
	}
	const timesOf = (way: Way) => times.get(way) ?? [];
	const msPerItem = (way: Way) => `${round(median(timesOf(way)) / ITEMS, 1)} ms`;
	// Of runs that were measured right after one another: the machine may be busy at times.
	const ratioTo = (way: Way) => {
		const others = timesOf(way);
		return median(timesOf(OURS).map((ms, repetition) => ms / (others[repetition] ?? NaN)));
	};

	return {
		title: `(c) Overhead: ${ITEMS} jobs that have ended at once, in a real n8n`,
		tables: [
			{
				title: `Medians of ${REPETITIONS} runs each, in turn`,
				rows: WAYS.map((way) => ({
					way: way.title,
					'ms/item': round(median(timesOf(way)) / ITEMS),
					'ms/run': round(median(timesOf(way))),
					fastest: Math.min(...timesOf(way)),
					slowest: Math.max(...timesOf(way)),
					'ours / this': round(ratioTo(way), 3),
					requests: traffic.get(way)?.requests ?? '',
					'most at once': together.get(way) ?? '',
					'429s': traffic.get(way)?.refused ?? '',
				})),
			},
		],
		checks: [IN_BATCHES, IN_LOOP].map((way) => ({
			what: `beside ${way.title}`,
			measured: ratioTo(way),
			bound: 'overhead',
		})),
		summary: [
			{
				what: 'item that is done at once, in n8n',
				ours: msPerItem(OURS),
				ideal: '',
				bounds: ['overhead'],
				beside: [IN_BATCHES, IN_LOOP].map((way) => `${way.title}: ${msPerItem(way)}`).join('; '),
			},
		],
		notes: [
			'ours / this: the median of the ratios of runs that followed one another.',
			`Most at once: with answers that take ${SLOW_MS} ms. The HTTP Request node starts a batch without`,
			'waiting for the one before; it is Loop Over Items that keeps it to 5.',
		],
	};
}

async function mostAtOnce(server: RealServer, way: Way): Promise<number> {
	const credentials = await server.startAfresh(INSTANT);
	server.sandbox.faults.add({ fault: { kind: 'slow', ms: SLOW_MS } });
	await server.measure(way, ITEMS, credentials);
	return trafficOf(server.sandbox).mostAtOnce;
}
