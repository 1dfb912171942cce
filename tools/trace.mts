import { readArguments } from './lib/arguments.mts';
import { timelineOf, asText } from './trace/timeline.mts';

const USAGE = `npm run trace -- <seed> [--jobs 8] [--processes 1] [--apart 0] [--history true]

Each request of a batch of short images in virtual time: when it was sent, what came of it, and why it was
sent then. The jobs are shared out among processes that know nothing of one another and begin so many s apart;
the history is one of the bench's (tools/bench/histories.mts).`;

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
