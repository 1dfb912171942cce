import { CONCURRENT_GENERATIONS } from '../nodes/shared/spec/limits.ts';
import type { SandboxState } from '../sandbox/state.mts';
import { UNBOUNDED } from '../test/support/virtualClock.mts';
import type { VirtualN8n } from '../test/support/virtualRun.mts';
import { TRUE, UNTRUE, USELESS, withHistory } from './bench/histories.mts';
import { batchOf, CREDITS, SHORT_IMAGE } from './bench/virtualJobs.mts';
import { VirtualWorker } from './bench/virtualWorker.mts';
import { readArguments } from './lib/arguments.mts';
import { alignedTable } from './lib/docs/markdown.mts';
import { ToolError } from './lib/errors.mjs';

const USAGE = `npm run trace -- <seed> [--jobs 8] [--processes 1] [--apart 0] [--history true]

Prints each request of a batch of short images in virtual time: when it was sent, what came of it, and why it was
sent then. The jobs are shared out among processes that do not know of one another; --apart says how many seconds
later each begins, --history which of the bench's histories is simulated (tools/bench/histories.mts).`;

export default async function main() {
	const given = readArguments(USAGE, {
		jobs: { type: 'string', default: '8' },
		processes: { type: 'string', default: '1' },
		apart: { type: 'string', default: '0' },
		history: { type: 'string', default: 'true' },
	});
	if (!given) return;
	const { values, positionals } = given;
	const batch = {
		seed: Number(positionals[0] ?? 1),
		jobs: Number(values.jobs),
		processes: Number(values.processes),
		apartMs: 1000 * Number(values.apart),
		history: values.history,
	};
	console.log(asText(batch, await timelineOf(batch)));
}

/** The batch to trace. */
export interface Batch {
	seed: number;
	jobs: number;
	/** How many processes share the jobs. */
	processes: number;
	/** How much later each process begins than the one before, in ms. */
	apartMs: number;
	/** The title of the kind of history. */
	history: string;
}

/** A request that was sent. */
type Sent = ReturnType<typeof sentBy>[number];

/** A request, as the service door logs it. */
const LOGGED = /^MediaGen: (\w+) (\S+): (.*)$/;

/**
 * The requests of a batch, in the order in which they were sent.
 *
 * @throws ToolError for an unknown kind of history
 */
export async function timelineOf(batch: Batch): Promise<Sent[]> {
	const { seed, jobs, processes, apartMs } = batch;
	const histories = [TRUE, ...USELESS, ...UNTRUE];
	const history = histories.find(({ title }) => title === batch.history);
	if (!history) {
		const titles = histories.map(({ title }) => `"${title}"`).join(', ');
		throw new ToolError(`There is no history "${batch.history}". There are ${titles}.`);
	}
	const settings = { credits: CREDITS, jobMs: SHORT_IMAGE.takes, seed };
	const account = withHistory(history, settings);
	account.clock.bounds = UNBOUNDED;
	const startedAt = account.clock.now();
	const workers = Array.from({ length: processes }, (_, index) =>
		processes === 1 ? account : new VirtualWorker(account, String(index)),
	);
	const work = async (worker: VirtualN8n, index: number) => {
		await account.clock.sleep(index * apartMs);
		await worker.execute({
			...batchOf(SHORT_IMAGE, promptsOf(jobs, processes, index)),
			node: { onError: 'continueRegularOutput' },
		});
	};
	await account.clock.run(Promise.all(workers.map(work)));
	return sentBy(workers, account.state, startedAt);
}

/** The prompts of one process: they are dealt out by turns. */
const promptsOf = (jobs: number, processes: number, process: number) =>
	Array.from({ length: jobs }, (_, index) => `item ${index}`).filter(
		(_, index) => index % processes === process,
	);

function sentBy(workers: readonly VirtualN8n[], state: SandboxState, startedAt: number) {
	const arrived = [...state.journal.entries];
	/** The log lines, with the number of the process, from 1. */
	const logged = workers
		.flatMap(({ log }, index) => log.map((line) => ({ ...line, process: index + 1 })))
		.sort((one, other) => one.at - other.at);
	return logged.flatMap(({ at, text, process }) => {
		const [, method, path, because] = LOGGED.exec(text) ?? [];
		if (!method || !path || !because) return [];
		const place = arrived.findIndex((entry) => entry.method === method && entry.path === path);
		const [entry] = place < 0 ? [] : arrived.splice(place, 1);
		const arrivedAt = entry?.at ?? at;
		/** How many jobs of the account were running when the request arrived. */
		const running = state.jobs.list.filter(
			({ createdAt, endsAt }) => createdAt <= arrivedAt && arrivedAt < endsAt,
		).length;
		/** The status of the answer; `null` if none came. */
		const status = entry?.status ?? null;
		return [{ at: at - startedAt, process, method, path, because, status, running }];
	});
}

/** The requests as a table, with short names for the jobs. */
export function asText(batch: Batch, timeline: readonly Sent[]): string {
	const { seed, jobs, processes, history } = batch;
	const refused = timeline.filter(({ status }) => status === 429).length;
	const names = new Map<string, string>();
	const rows = timeline.map(({ at, process, method, path, because, status, running }) => [
		(at / 1000).toFixed(2),
		String(process),
		`${method.padEnd(4)} ${shortened(path, names)}`,
		String(status ?? '-'),
		`${running}/${CONCURRENT_GENERATIONS}`,
		because,
	]);
	return [
		`Seed ${seed}: ${jobs} images of 3 to 9 s, ${processes} process(es), history: ${history}`,
		alignedTable([['s', 'Process', 'Request', 'Status', 'Running', 'Why it is sent'], ...rows]),
		`${timeline.length} requests, ${refused} refused (429)`,
	].join('\n\n');
}

/** Replaces the identifier in a path by "job1", "job2" and so on. */
const shortened = (path: string, names: Map<string, string>) =>
	path.replace(/[0-9a-f-]{20,}/, (id) => {
		const name = names.get(id) ?? `job${names.size + 1}`;
		names.set(id, name);
		return name;
	});
