import process from 'node:process';
import util from 'node:util';

import { ToolError } from './errors.mjs';

/**
 * Reads the arguments of a command. With `--help`, prints how the command is used.
 *
 * @param names The allowed positional arguments; any when left out.
 * @returns Undefined after `--help`.
 * @throws ToolError with the usage, after an argument that the command does not know
 */
export function readArguments<Options extends NonNullable<util.ParseArgsConfig['options']>>(
	usage: string,
	options: Options,
	names?: readonly string[],
): ReturnType<typeof util.parseArgs<{ options: Options; allowPositionals: true }>> | undefined {
	try {
		const help = { type: 'boolean', short: 'h' } as const;
		const all = { ...options, help };
		const given = util.parseArgs({
			args: process.argv.slice(2),
			allowPositionals: true,
			options: all,
		});
		const unknown = names && given.positionals.find((name) => !names.includes(name));
		if (unknown !== undefined) throw new Error(`There is no "${unknown}".`);
		if (!('help' in given.values)) return given as any;
	} catch (error) {
		throw new ToolError(`${(error as Error).message}\n\n${usage}`);
	}
	console.log(usage);
	return undefined;
}
