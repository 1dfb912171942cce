import process from 'node:process';
import util from 'node:util';

import { ToolError } from './errors.mjs';

/**
 * What stands behind the name of a command. With `--help` it prints how the command is used, and with what it
 * does not know the command ends.
 *
 * @param names What may be named besides; anything when left out.
 * @returns Undefined after `--help`.
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
