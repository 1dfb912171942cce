import { readArguments } from './lib/arguments.mts';
import { ToolError } from './lib/errors.mjs';
import { untilStopped } from './lib/lifecycle.mjs';
import { startSandbox } from './lib/sandbox.mts';

const USAGE = `npm run sandbox [-- --settings <JSON>]

Runs the simulated service until Ctrl-C, with any settings of sandbox/settings.mts, such as
'{"port":4000,"credits":{"purchased":5}}'. Its port is any free one when left out.`;

export default async function main() {
	const given = readArguments(USAGE, { settings: { type: 'string', default: '{}' } }, []);
	if (!given) return;
	const { url, key, account } = await startWith(given.values.settings);
	console.log(`The simulated service is running.
  Base URL  ${url}
  API key   ${key}
  Credits   ${account.credits.purchased}, and ${account.credits.welcome} welcome credits

Ctrl-C stops it.`);
	await untilStopped();
}

async function startWith(settings: string) {
	try {
		return await startSandbox(JSON.parse(settings));
	} catch (thrown) {
		const { message, issues } = thrown as Error & {
			issues?: Array<{ path: unknown[]; message: string }>;
		};
		const told = issues?.map((issue) => `  ${issue.path.join('.')} ${issue.message}`).join('\n');
		throw new ToolError(`These settings are not accepted:\n${told ?? message}\n\n${USAGE}`);
	}
}
