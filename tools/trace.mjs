import { readArguments } from './lib/arguments.mjs';
import { ensureDevDependencies } from './lib/devDependencies.mjs';
import { runTool } from './lib/lifecycle.mjs';
import { importTypeScript } from './lib/typeScript.mjs';

const USAGE = `npm run trace -- <seed> [--jobs 8] [--processes 1] [--apart 0] [--history true]

Each request of a batch of short images in virtual time: when it was sent, what came of it, and why it was
sent then. The jobs are shared out among processes that know nothing of one another and begin so many s apart;
the history is one of the bench's (tools/bench/histories.mts).`;

await runTool(async () => {
	const given = readArguments(USAGE, {
		jobs: { type: 'string', default: '8' },
		processes: { type: 'string', default: '1' },
		apart: { type: 'string', default: '0' },
		history: { type: 'string', default: 'true' },
	});
	if (!given) return;
	const { values, positionals } = given;
	await ensureDevDependencies();
	const { timelineOf, asText } = await importTypeScript('tools/trace/timeline.mts');
	const batch = {
		seed: Number(positionals[0] ?? 1),
		jobs: Number(values.jobs),
		processes: Number(values.processes),
		apartMs: 1000 * Number(values.apart),
		history: values.history,
	};
	console.log(asText(batch, await timelineOf(batch)));
});
