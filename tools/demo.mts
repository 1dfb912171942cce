import { performance } from 'node:perf_hooks';
import readline from 'node:readline';

import { readArguments } from './lib/arguments.mts';
import { DEBUGGER, runExample, startDemo, watchSources, type Demo } from './lib/demo.mts';
import { describeError, ToolError } from './lib/errors.mjs';
import { untilStopped } from './lib/lifecycle.mjs';
import { freePort } from './lib/ports.mts';
import { step } from './lib/run.mjs';

const USAGE = `npm run demo [-- --once | --watch]

Runs the first example in a real n8n against the simulated service, and leaves the editor open, with
all examples in it.
  --once   stops everything when the media is there
  --watch  compiles what you change and lets n8n load it; a debugger can attach to ${DEBUGGER}`;

const USUAL_PORT = 5678;

export default async function main() {
	const flag = { type: 'boolean' } as const;
	const given = readArguments(USAGE, { once: flag, watch: flag }, []);
	if (!given) return;
	const { once, watch } = given.values;
	if (once && watch) throw new ToolError('--once stops, --watch stays: choose one.');
	const port = await freePort(USUAL_PORT);
	if (port !== USUAL_PORT) {
		console.log(`Port ${USUAL_PORT} is in use, so this n8n gets port ${port}.`);
	}
	const demo = await startDemo({ port, watch });

	console.log('Running the example workflow ...');
	const start = performance.now();
	const result = await runExample(demo);
	const seconds = ((performance.now() - start) / 1000).toFixed(1);
	console.log(`
The image is finished.
  Media URL     ${result.mediaUrl}
  Credits used  ${result.creditsUsed} (${result.details.creditsRemaining} left)
  Took          ${seconds} s`);

	if (once) {
		const answer = await fetch(result.mediaUrl);
		const { size, type } = await answer.blob();
		if (!answer.ok || size === 0) throw new ToolError(`It answers with ${answer.status}.`);
		console.log(`  Answers with  ${size} bytes of ${type}\n\nStopping everything ...`);
		return;
	}
	console.log(`
Now make a picture of your own: ${demo.editorUrl}
  Email         ${demo.login.email}
  Password      ${demo.login.password}
  Service       ${demo.sandbox.url}, for a credential of your own, with the key ${demo.sandbox.key}

  1. Sign in. The node MediaGen Image opens.
  2. Write into Prompt what you want to see.
  3. Press Execute step, then View in the output.

All examples: ${demo.server.url}/home/workflows

A job fails when its prompt has ${demo.sandbox.settings.failPrompt} in it. Type restart and press Enter to kill n8n and start
it again; what it has stored stays. Ctrl-C stops everything.`);
	if (watch) watchSources(demo.server);
	restartOnDemand(demo);
	await untilStopped();
}

function restartOnDemand({ restart }: Demo) {
	readline.createInterface({ input: process.stdin }).on('line', (line) => {
		if (line.trim() !== 'restart') return;
		step('Killing n8n and starting it again', restart).catch((error) => {
			console.error(describeError(error));
		});
	});
}
