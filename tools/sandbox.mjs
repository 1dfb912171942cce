import util from 'node:util';

import { ensureDevDependencies } from './lib/devDependencies.mjs';
import { ToolError } from './lib/errors.mjs';
import { runTool, untilStopped } from './lib/lifecycle.mjs';
import { portOf, requireFreePort } from './lib/ports.mjs';
import { startSandbox } from './lib/sandbox.mjs';

const USAGE = `npm run sandbox [-- --port <number>] [-- --settings <JSON>]

Runs the simulated service until Ctrl-C.
  --port      its port; any free one when left out
  --settings  any setting of sandbox/settings.mts, such as '{"credits":{"purchased":5}}'`;

await runTool(async () => {
	const { settings, help } = readArguments();
	if (help) return console.log(USAGE);
	await ensureDevDependencies();
	if (settings.port) await requireFreePort(settings.port);
	const { url, key, account } = await startSandbox(settings).catch(rejectSettings);
	console.log(`The simulated service is running.
  Base URL  ${url}
  API key   ${key}
  Credits   ${account.credits.purchased}, and ${account.credits.welcome} welcome credits

Ctrl-C stops it.`);
	await untilStopped();
});

function readArguments() {
	try {
		const { values } = util.parseArgs({
			options: {
				port: { type: 'string' },
				settings: { type: 'string', default: '{}' },
				help: { type: 'boolean', short: 'h' },
			},
		});
		const settings = JSON.parse(values.settings);
		if (values.port !== undefined) settings.port = portOf(values.port);
		return { settings, help: values.help };
	} catch (error) {
		throw new ToolError(`${/** @type {Error} */ (error).message}\n\n${USAGE}`);
	}
}

/**
 * @param {Error & { issues?: Array<{ path: unknown[], message: string }> }} error
 * @returns {never}
 */
function rejectSettings(error) {
	if (!error.issues) throw error;
	const lines = error.issues.map(({ path, message }) => `  ${path.join('.')} ${message}`);
	throw new ToolError(`These settings are not accepted:\n${lines.join('\n')}`);
}
