import { ToolError } from './errors.mjs';
import { run } from './run.mjs';

/** As in the repository's .npmrc, for folders that have none. */
const INSTALL_FLAGS = [
	'--legacy-peer-deps',
	'--ignore-scripts',
	'--no-audit',
	'--no-fund',
	'--no-update-notifier',
	// With npm's two, it takes minutes to find out that there is no network.
	'--fetch-retries=1',
];

/**
 * Installs packages into a folder.
 *
 * @param {string[]} args
 * @param {object} options
 * @param {string} options.what What it is for, as the subject of an error message.
 * @param {string} options.cwd
 */
export async function npmInstall(args, { what, cwd }) {
	// Without `--prefix`, npm would install into the nearest folder above that looks like a package.
	await npm(['install', '--prefix', cwd, ...INSTALL_FLAGS, ...args], { what, cwd });
}

/**
 * Runs npm: the one that started this process, or else the one on the PATH.
 *
 * @param {string[]} args
 * @param {object} options
 * @param {string} options.what What it is for, as the subject of an error message.
 * @param {string} [options.cwd]
 * @param {Record<string, string>} [options.env] Added to the environment.
 * @returns {Promise<string>} What it printed.
 * @throws {ToolError} if it fails
 */
export async function npm(args, { what, cwd, env }) {
	const { code, output } = await runNpm(args, { cwd, env: { ...process.env, ...env } });
	if (code !== 0) throw new ToolError(explainNpmFailure(what, output, code));
	return output;
}

/**
 * @param {string[]} args
 * @param {Parameters<typeof run>[2]} [options]
 */
async function runNpm(args, options) {
	const script = process.env.npm_execpath;
	return script?.endsWith('.js')
		? await run(process.execPath, [script, ...args], options)
		: await run('npm', args, options);
}

/**
 * Says why npm failed and what to do, as far as its output tells.
 *
 * @param {string} what
 * @param {string} output
 * @param {number} exitCode
 */
function explainNpmFailure(what, output, exitCode) {
	if (exitCode === 127) {
		return `${what} failed: there is no npm here. Install npm (it comes with Node) and try again.`;
	}
	return `${what} failed. The end of npm's output:\n\n${lastLines(output)}`;
}

/**
 * The end of a program's output.
 *
 * @param {string} output
 */
export function lastLines(output) {
	return output.trimEnd().split('\n').slice(-20).join('\n');
}
