import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.join(import.meta.dirname, '../../..');

/** What the troubleshooting page says of messages that mean the same. */
export type ErrorEntry = ReturnType<typeof entriesIn>[number];

/** The texts of the package's source files. */
export const sources = (): string[] =>
	['nodes', 'credentials']
		.flatMap((folder) =>
			readdirSync(path.join(ROOT, folder), { recursive: true, encoding: 'utf8' })
				.filter((name) => name.endsWith('.ts'))
				.map((name) => path.join(ROOT, folder, name)),
		)
		.sort()
		.map((file) => readFileSync(file, 'utf8'));

const COMMENT = /(?:^[\t ]*\/\/ @error\(.*\n)+(?:[\t ]*\/\/ (?!@error).*\n)*/gm;

/**
 * The comments beside the messages of errors:
 *
 *     // @error(group) The message with its <value>
 *     // What it means, and what to do.
 *     // @charged Whether the item has cost something.
 *
 * If the message or the text is missing, the `message` or `description` that follows in the code takes its place.
 */
export const errorEntries = () => sources().flatMap(entriesIn);

const entriesIn = (source: string) =>
	[...source.matchAll(COMMENT)].map((comment) => {
		const lines = comment[0].trim().split(/\s*\n\s*\/\/ /);
		const heads = lines.flatMap((line) => [...line.matchAll(/@error\((\w+)\) ?(.*)/g)]);
		const [, charged] = /@charged (.*)/.exec(lines.join('\n')) ?? [];
		const told = lines.filter((line) => !line.includes('@error(') && !line.startsWith('@charged'));
		const code = source.slice(comment.index + comment[0].length);
		return {
			group: heads[0]?.[1] ?? '',
			/** With `<…>` for each inserted value; the real message may be longer. */
			messages: heads.map(([, , message]) => message || literalIn(code, 'message')),
			text: told.join(' ') || (heads[0]?.[2] ? '' : literalIn(code, 'description')),
			/** Whether the item has cost something, if that differs from the rest of the group. */
			charged,
		};
	});

const literalIn = (code: string, property: string): string =>
	new RegExp(String.raw`\b${property}:\s*(['"\`])(.*?)\1`).exec(code)?.[2] ?? '';
