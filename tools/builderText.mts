import type { INodeTypeDescription } from 'n8n-workflow';
import { createRequire } from 'node:module';
import path from 'node:path';

import { readArguments } from './lib/arguments.mts';
import { ToolError } from './lib/errors.mjs';
import { ensureN8n } from './lib/n8nInstall.mts';

/** n8n's own code, which turns the description of a community node into text for an AI that builds workflows. */
const SYNTHESIZER = 'n8n/dist/modules/mcp-registry/synthesize-type-def.js';
const CATALOG = '@n8n/ai-utilities/node-catalog';

/** The prefix of the package's nodes in n8n. */
const PACKAGE = 'n8n-nodes-mediagen';

const KINDS = ['Image', 'Video', 'Music', 'Account', 'Trigger'];

const USAGE = `npm run builder-text [-- ${KINDS.join(' | ')}]

Prints what n8n's AI builder reads of a node: how it is found, then its parameters. If no node is named, it prints
only how many bytes that is for each.`;

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
	const module = await import(`../nodes/${kind}/${name}.node.ts`);
	return builderText(folder, new module[name]().description);
}

/**
 * What n8n lets an AI read of a node: n8n's MCP server (search_nodes, get_node_types) and its assistant take both texts
 * from the same functions. A running n8n adds to each resource an operation Custom API Call, which is missing here.
 */
export function builderText(folder: string, description: INodeTypeDescription) {
	const require = createRequire(path.join(folder, 'package.json'));
	const { synthesizeNodeTypeDef } = require(`./node_modules/${SYNTHESIZER}`);
	const { NodeTypeParser, formatNodeResult } = require(CATALOG);
	const named = { ...structuredClone(description), name: `${PACKAGE}.${description.name}` };
	return {
		/** What a search finds: the node, its resources and operations. */
		found: formatNodeResult(new NodeTypeParser([named]), named.name) as string,
		/** The parameters of all operations, as TypeScript. */
		definition: synthesizeNodeTypeDef(named) as string,
	};
}
