import { readArguments } from './lib/arguments.mts';
import { builderText } from './lib/builderText.mts';
import { ToolError } from './lib/errors.mjs';
import { ensureN8n } from './lib/n8nInstall.mts';

const KINDS = ['Image', 'Video', 'Music', 'Account', 'Trigger'];

const USAGE = `npm run builder-text [-- ${KINDS.join(' | ')}]

Prints what n8n's AI builder reads of a node: how it is found, then its parameters. Of all nodes only how
many bytes that is, where none is named.`;

export default async function main() {
	const given = readArguments(USAGE, {}, KINDS);
	if (!given) return;
	const [kind, more] = given.positionals;
	if (more) throw new ToolError(`One node at a time.\n\n${USAGE}`);
	const { folder } = await ensureN8n();
	if (kind !== undefined) {
		const { found, definition } = await textOf(folder, kind);
		return console.log(`${found}\n\n${definition}`);
	}
	const sizes: Record<string, object> = {};
	for (const one of KINDS) {
		const { found, definition } = await textOf(folder, one);
		sizes[one] = { found: Buffer.byteLength(found), definition: Buffer.byteLength(definition) };
	}
	console.table(sizes);
}

async function textOf(folder: string, kind: string) {
	const name = `MediaGen${kind}`;
	const { default: module } = await import(`../nodes/${kind}/${name}.node.ts`);
	return builderText(folder, new module[name]().description);
}
