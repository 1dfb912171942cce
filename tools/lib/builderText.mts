import type { INodeTypeDescription } from 'n8n-workflow';
import { createRequire } from 'node:module';
import path from 'node:path';

/** n8n's own code: what it makes of the description of a community node, for an AI that builds workflows. */
const SYNTHESIZER = 'n8n/dist/modules/mcp-registry/synthesize-type-def.js';
const CATALOG = '@n8n/ai-utilities/node-catalog';

/** As n8n names the nodes of the package. */
const PACKAGE = 'n8n-nodes-mediagen';

/**
 * What n8n lets an AI read of a node: its MCP server (search_nodes, get_node_types) and its assistant
 * take both texts from the same functions. A server adds an operation of its own to each resource,
 * Custom API Call, which is not here.
 */
interface BuilderText {
	/** What a search finds: the node, its resources and operations. */
	found: string;
	/** The parameters of all operations, as TypeScript. */
	definition: string;
}

export function builderText(folder: string, description: INodeTypeDescription): BuilderText {
	const require = createRequire(path.join(folder, 'package.json'));
	const { synthesizeNodeTypeDef } = require(`./node_modules/${SYNTHESIZER}`);
	const { NodeTypeParser, formatNodeResult } = require(CATALOG);
	const named = { ...structuredClone(description), name: `${PACKAGE}.${description.name}` };
	return {
		found: formatNodeResult(new NodeTypeParser([named]), named.name),
		definition: synthesizeNodeTypeDef(named),
	};
}
