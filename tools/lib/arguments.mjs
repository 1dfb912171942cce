import util from 'node:util';

import { ToolError } from './errors.mjs';

/**
 * What stands behind the name of a command. With `--help` it prints how the command is used, and with what it
 * does not know the command ends.
 *
 * @template {NonNullable<util.ParseArgsConfig['options']>} Options
 * @param {string} usage
 * @param {Options} options
 * @param {readonly string[]} [names] What may be named besides; anything when left out.
 * @returns {ReturnType<typeof util.parseArgs<{ options: Options, allowPositionals: true }>> | undefined}
 *   Undefined after `--help`.
 */
export function readArguments(usage, options, names) {
	try {
		const help = /** @type {const} */ ({ type: 'boolean', short: 'h' });
		const all = { ...options, help };
		const given = util.parseArgs({ allowPositionals: true, options: all });
		const unknown = names && given.positionals.find((name) => !names.includes(name));
		if (unknown !== undefined) throw new Error(`There is no "${unknown}".`);
		if (!('help' in given.values)) return /** @type {any} */ (given);
	} catch (error) {
		throw new ToolError(`${/** @type {Error} */ (error).message}\n\n${usage}`);
	}
	console.log(usage);
	return undefined;
}
